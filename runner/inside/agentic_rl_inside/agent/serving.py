"""``self.server_addresses``: an HTTP server on 127.0.0.1 with vLLM's two endpoints, for wrappers that use a client.

Frameworks such as LangGraph talk to the model through ``http://<address>/v1``. Requests take the same way as
``self.completions``, so what is generated for them is recorded too.
"""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .completions import Completions

LARGEST = 64 * 1024 * 1024
"""Bytes of a request."""


class CompletionServer:
    """Serves until the process ends, or :meth:`close`.

    Attributes:
        address: ``127.0.0.1:port``.
    """

    def __init__(self, completions: Completions) -> None:
        handler = type("Handler", (_Handler,), {"completions": completions})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, name="agentic-rl http", daemon=True).start()

    def close(self) -> None:
        """Free the port."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    completions: Completions
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """``/v1/models`` and ``/health``: clients look there first."""
        if self.path.rstrip("/") == "/v1/models":
            self._reply(200, {"object": "list", "data": [{"id": self.completions.model, "object": "model"}]})
        else:
            self._reply(200 if self.path.startswith("/health") else 404, {})

    def do_POST(self) -> None:
        """``/v1/completions`` and ``/v1/chat/completions``."""
        path = self.path.rstrip("/")
        try:
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 < length <= LARGEST:
                raise ValueError("a request needs a Content-Length and a body of JSON")
            request = json.loads(self.rfile.read(length))
            if path == "/v1/completions":
                answer = asyncio.run(self.completions.complete(_without_model(request)))
            elif path == "/v1/chat/completions":
                answer = asyncio.run(self.completions.chat(request))
            else:
                self._reply(404, {})
                return
            self._reply(400 if answer["object"] == "error" else 200, answer)
        except (TypeError, ValueError) as error:
            self._reply(400, {"object": "error", "message": str(error), "type": "BadRequestError", "code": 400})
        except Exception as error:
            self._reply(500, {"object": "error", "message": str(error), "type": type(error).__name__, "code": 500})

    def _reply(self, status: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: every request would be a line of the training's log."""


def _without_model(request: Any) -> Any:
    """OpenAI clients always send ``model``; AgentSDK's completion endpoint refuses it, which helps nobody."""
    return {k: v for k, v in request.items() if k not in {"model", "stream"} or (k == "stream" and v)}
