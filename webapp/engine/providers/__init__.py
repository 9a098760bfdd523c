"""The only part of the engine that opens connections: one module a wire protocol, all of one shape.

`chat.py` speaks Chat Completions (OpenAI, llama.cpp, vLLM, Ollama, OpenRouter and most others):
`ChatProvider.open(endpoint, request) -> Stream`, as `engine/ports.py` asks, over the kept
connections of `pool.py`. `probe.py` tests an endpoint and says what is wrong with it, `discover.py`
finds model servers on this machine, and `presets.py` lists the usual ones.

Under them stand pure parts that never await: `asking.py` (the request's address and body), `sse.py`
(lines to payloads), `chunks.py` (payloads to events), `replies.py` (an error reply to its words),
`causes.py` (words to a kind of failure), `waits.py` (how long to wait), `failures.py` and
`connecting.py` (what went wrong, as sentences), `listing.py` (which models a server lists, and how
much they read), `verdicts.py` (what a test came to), `reach.py` (which addresses people may type).
"""
