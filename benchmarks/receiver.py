"""An OTLP/HTTP receiver that does next to nothing, so that it takes no CPU from what is measured.

As a program it prints its URL, keeps the bodies of what it is sent, and at GET /summary?pids=A,B says as JSON when the first
request came and what the spans of the children of those pids are: how many, and how many have which command arguments.
"""

import http.server
import json
import time
import urllib.parse


def fields(message):
    """The fields of a protobuf message as (number, value): an int or bytes."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(message, at)
        elif kind == 1:
            value, at = message[at:at + 8], at + 8
        elif kind == 2:
            length, at = varint(message, at)
            value, at = message[at:at + length], at + length
        elif kind == 5:
            value, at = message[at:at + 4], at + 4
        else:
            raise ValueError(f"wire type {kind}")
        yield key >> 3, value


def varint(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def spans(request):
    """The spans of an ExportTraceServiceRequest, each as bytes."""
    for number, resource_spans in fields(request):
        for inner, scope_spans in fields(resource_spans):
            if inner == 2:
                for innermost, span in fields(scope_spans):
                    if innermost == 2:
                        yield span


def attributes(span):
    """The attributes of a span: strings, ints and lists of strings; others as None."""
    result = {}
    for number, value in fields(span):
        if number == 9:
            entry = dict(fields(value))
            result[entry[1].decode()] = attribute_value(entry[2])
    return result


def attribute_value(message):
    for number, value in fields(message):
        if number == 1:
            return value.decode()
        if number == 3:
            return value
        if number == 5:
            return [attribute_value(element) for _, element in fields(value)]
    return None


def summary(bodies, pids):
    """Counts the spans whose parent process is one of pids, by the arguments they carry."""
    by_pid, arguments = {}, {}
    for body in bodies:
        for span in spans(body):
            found = attributes(span)
            if found.get("process.parent_pid") in pids:
                key = (found.get("process.pid"), found.get("process.creation.time"))
                by_pid[key] = by_pid.get(key, 0) + 1
                words = " ".join(found.get("process.command_args") or [])
                arguments[words] = arguments.get(words, 0) + 1
    return {"processes": len(by_pid), "spans": sum(by_pid.values()), "arguments": arguments}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bodies = []
    first = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/traces":
            if Handler.first is None:
                Handler.first = time.time()
            Handler.bodies.append(body)
        self.answer(b"", "application/x-protobuf")

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        pids = {int(pid) for pid in query.get("pids", [""])[0].split(",") if pid}
        seen = summary(Handler.bodies, pids)
        seen["first"] = Handler.first
        self.answer(json.dumps(seen).encode(), "application/json")

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
