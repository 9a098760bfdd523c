"""The only part of the engine that opens connections: one module a wire protocol, all of one shape.

`chat.py` speaks Chat Completions (OpenAI, llama.cpp, vLLM, Ollama, OpenRouter and most others):
`ChatProvider.open(endpoint, request) -> Stream`, as `engine/ports.py` asks. Under it stand pure
parts that take bytes in and give events out, and never await: `asking.py` (the request's address
and body), `sse.py` (lines to payloads), `chunks.py` (payloads to events), `replies.py` (an
error reply to its words), `failures.py` (what went wrong, as sentences).
"""
