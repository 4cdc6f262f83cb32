"""A real HTTP server that speaks the chat-completions protocol and fails on command.

with OpenAIServer(lambda request: "Grade: correct") as server:
    OpenAIJudge(RUBRIC, ChatModel(model="m", base_url=server.url))
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import parse_qs, unquote, urlsplit

from typing_extensions import Self

Json: TypeAlias = dict[str, Any]
_AZURE_PATH = re.compile(r"/openai/deployments/([^/]+)/chat/completions")
_ERROR_TYPES = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}


@dataclass(frozen=True)
class Fault:
    """An answer that is not a plain completion.

    Attributes:
        kind: "status" (an error), "drop" (the connection closes without an answer), "truncate"
            (half the body), "malformed" (a body that is no JSON), "page" (an HTML page with 200),
            "body" (any JSON, as given), "finish" (a completion with this finish reason), "drip" (a
            completion, byte by byte from the first of its head) or "drip_body" (from the first of
            its body).
        status: The status code of "status".
        words: The message of "status", the text of "finish".
        headers: More headers, such as Retry-After.
        error: More members of the error object: ``param``, ``code``.
        body, reason: What "body" sends; the finish reason of "finish".
        latency: Seconds to wait first.
        pause: Seconds between the bytes of a drip.
    """

    kind: Literal[
        "status", "drop", "truncate", "malformed", "page", "body", "finish", "drip", "drip_body"
    ] = "status"
    status: int = 500
    words: str = "something broke"
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    reason: str = "content_filter"
    latency: float = 0.0
    pause: float = 0.1


# A text; the members of a message, such as {"content": None, "refusal": "no"}; or a fault.
Answer: TypeAlias = str | Json | Fault
ReplyTo: TypeAlias = Callable[[Json], Answer]


class OpenAIServer:
    """Answers ``POST /v1/chat/completions`` and ``GET /v1/models`` once it is entered.

    With `azure_api` it is a resource at Azure OpenAI instead, which answers
    ``POST /openai/deployments/<model>/chat/completions?api-version=…`` and takes its key in
    ``api-key``.

    Args:
        reply: The answer to all, or a function of a request's body that many threads call.
        latency: Seconds every answer takes.
        rejects: Parameters that this server does not know: 400 with OpenAI's wording.
        key: The only key it lets in; None lets anybody in.
        models: The models it lists; with `only_listed` it answers 404 for all others.
        listing: What it says instead of its list: the list's members, or a fault of kind "status"
            or "body".
        azure_api: The one version of Azure's API that it speaks.

    Attributes:
        url: The base URL, ending in ``/v1``; Azure's endpoint with `azure_api`.
        requests: The parsed bodies of all chat requests, in the order of their arrival.
        headers: Their headers in lower case, without the key.
        paths: The paths, with queries, of all that was asked, lists included.
        most_in_flight: The largest number of requests that were being answered at once.
    """

    def __init__(  # noqa: PLR0913 - each is a whim of servers of its own
        self,
        reply: ReplyTo | Answer,
        *,
        latency: float = 0.0,
        rejects: Collection[str] = (),
        key: str | None = None,
        models: Collection[str] = ("test-model",),
        only_listed: bool = False,
        listing: Json | Fault | None = None,
        azure_api: str | None = None,
    ) -> None:
        self._reply = reply
        self._latency = latency
        self._rejects = rejects
        self._key = key
        self._models = models
        self._only_listed = only_listed
        self._listing = listing
        self.azure_api = azure_api
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._in_flight = 0
        self.most_in_flight = 0
        self.requests: list[Json] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self._server = _Server(self)
        root = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = f"{root}/v1" if azure_api is None else root

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()

    def pause(self, seconds: float) -> bool:
        """Wait, and say whether the server is still open."""
        return not self._closing.wait(seconds)

    def listed(self) -> Json | Fault:
        """The answer to ``GET /v1/models``."""
        if isinstance(self._listing, Fault):
            self._closing.wait(self._listing.latency)
        if self._listing is not None:
            return self._listing
        models = [{"id": name, "object": "model", "created": 0} for name in self._models]
        return {"object": "list", "data": models}

    def answer(self, request: Json, headers: Mapping[str, str], authorization: str) -> Answer:
        """The answer to one chat request, after its latency."""
        with self._lock:
            self.requests.append(request)
            self.headers.append(dict(headers))
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            answer: Answer | None = self._refusal_of(request, authorization)
            if answer is None:
                answer = self._reply(request) if callable(self._reply) else self._reply
            latency = answer.latency if isinstance(answer, Fault) else 0.0
            self._closing.wait(self._latency + latency)
            return answer
        finally:
            with self._lock:
                self._in_flight -= 1

    def _refusal_of(self, request: Json, authorization: str) -> Fault | None:
        scheme = "Bearer " if self.azure_api is None else ""
        if self._key is not None and authorization != f"{scheme}{self._key}":
            words = f"Incorrect API key provided: {authorization.removeprefix('Bearer ')}."
            return Fault(status=401, words=words, error={"code": "invalid_api_key"})
        if self._only_listed and request.get("model") not in self._models:
            words = f"The model `{request.get('model')}` does not exist or you do not have access."
            return Fault(status=404, words=words, error={"code": "model_not_found"})
        for parameter in self._rejects:
            if parameter in request:
                words = f"Unsupported parameter: '{parameter}' is not supported with this model."
                if parameter == "max_tokens":
                    words += " Use 'max_completion_tokens' instead."
                error = {"param": parameter, "code": "unsupported_parameter"}
                return Fault(status=400, words=words, error=error)
        return None


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def __init__(self, owner: OpenAIServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.owner = owner

    def handle_error(self, *_: object) -> None:
        """Say nothing: clients that give up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self) -> None:
        owner = self._owner()
        owner.paths.append(self.path)
        is_list = urlsplit(self.path).path == "/v1/models" and owner.azure_api is None
        listed = owner.listed() if is_list else None
        if isinstance(listed, Fault):
            self._deliver(listed, {})
        else:
            self._send(200 if listed else 404, json.dumps(listed or {}))

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        owner = self._owner()
        owner.paths.append(self.path)
        request = json.loads(content)
        if not self._is_known(owner.azure_api, request):
            self._send(404, json.dumps({"error": {"message": f"no such path: {self.path}"}}))
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        keys = [headers.pop(name, "") for name in ("authorization", "api-key")]
        key = keys[0 if owner.azure_api is None else 1]
        self._deliver(owner.answer(request, headers, key), request)

    def _is_known(self, azure_api: str | None, request: Json) -> bool:
        """Whether the path is the server's; Azure's names the model, whatever the body says."""
        parts = urlsplit(self.path)
        if azure_api is None:
            return parts.path == "/v1/chat/completions"
        found = _AZURE_PATH.fullmatch(parts.path)
        if found is None or parse_qs(parts.query).get("api-version") != [azure_api]:
            return False
        request["model"] = unquote(found[1])
        return True

    def _owner(self) -> OpenAIServer:
        return cast("_Server", self.server).owner

    def _deliver(self, answer: Answer, request: Json) -> None:
        if isinstance(answer, str):
            self._send(200, json.dumps(_completion(request, {"content": answer}, "stop")))
        elif isinstance(answer, dict):
            self._send(200, json.dumps(_completion(request, answer, "stop")))
        elif answer.kind == "status":
            error = {"message": answer.words, "type": _ERROR_TYPES.get(answer.status, "error")}
            body = json.dumps({"error": {**error, "param": None, "code": None, **answer.error}})
            self._send(answer.status, body, headers=answer.headers)
        elif answer.kind == "drop":
            self.close_connection = True
        elif answer.kind == "truncate":
            body = json.dumps(_completion(request, {"content": "Grade: correct"}, "stop"))
            self._send(200, body[: len(body) // 2], promised=len(body))
            self.close_connection = True
        elif answer.kind in ("drip", "drip_body"):
            body = json.dumps(_completion(request, {"content": answer.words}, "stop"))
            self._drip(body, answer)
        else:
            content_type = "text/html" if answer.kind == "page" else "application/json"
            self._send(200, _odd_body(answer, request), content_type=content_type)

    def _send(
        self,
        status: int,
        body: str,
        *,
        headers: Mapping[str, str] | None = None,
        promised: int | None = None,
        content_type: str = "application/json",
    ) -> None:
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(promised or len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def _drip(self, body: str, fault: Fault) -> None:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        whole = f"{head}\r\n\r\n{body}".encode()
        begin = len(whole) - len(body) if fault.kind == "drip_body" else 0
        self.wfile.write(whole[:begin])
        for byte in whole[begin:]:
            if not self._owner().pause(fault.pause):
                break
            self.wfile.write(bytes([byte]))
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _odd_body(fault: Fault, request: Json) -> str:
    if fault.kind == "page":
        return "<html>hello</html>"
    if fault.kind == "malformed":
        return '{"choices": ['
    if fault.kind == "finish":
        return json.dumps(_completion(request, {"content": fault.words}, fault.reason))
    return json.dumps(fault.body)


def _completion(request: Json, message: Json, finish_reason: str) -> Json:
    prompt = json.dumps(request.get("messages", ""))
    read, written = len(prompt) // 4 + 1, len(str(message.get("content") or "")) // 4 + 1
    usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
    return {
        "id": "chatcmpl-test",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.get("model", "test-model"),
        "system_fingerprint": "fp_test",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "refusal": None, **message},
                "finish_reason": finish_reason,
            }
        ],
        "usage": usage,
    }
