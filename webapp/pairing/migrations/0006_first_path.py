"""A file's first path: the log has the new path of a rename alone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("pairing", "0005_edits_and_history")]

    operations = [
        migrations.AddField(
            model_name="file",
            name="first_path",
            field=models.CharField(blank=True, default="", max_length=512),
        ),
    ]
