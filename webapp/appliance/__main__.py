"""`python -m webapp.appliance`: the whole of Flint on this machine, until a signal ends it.

The order is what makes the page quick: the socket first, Valkey and the static files beside the
migrations, web and worker as soon as both are done, and the model only when the page is up.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said as a sentence, before newer syntax is read
    sys.exit(
        "Flint needs Python 3.11 or later; this is {}.{}. Install a newer one, remove the folder "
        ".venv, and run `make run` again.".format(*sys.version_info)
    )


try:
    from webapp.appliance.run import main
except ModuleNotFoundError as error:
    sys.exit(
        f"Flint's packages are not complete ({error.name} is missing). Run `make run`, which "
        "installs them."
    )
except KeyboardInterrupt:
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
