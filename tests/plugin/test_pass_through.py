"""Pictures that carry their file reach a server as that file; others stay as lmms-eval has them."""

from __future__ import annotations

import base64
from types import SimpleNamespace

import pytest
from loguru import logger
from PIL import Image

from lmms_eval_tasks import plugin
from lmms_eval_tasks._pass_through import Source, StandIns, lazy_picture
from tests.support.pictures import preserved, scene

MEDIA_TYPE, DATA = preserved()["jpeg-cmyk"]
METHODS = ("to_openai_messages", "to_qwen3_vl_openai_messages")


@pytest.fixture
def lines():
    heard: list[str] = []
    sink = logger.add(heard.append, format="{message}", level="INFO")
    plugin._say_once.cache_clear()
    yield heard
    logger.remove(sink)


def never():
    pytest.fail("the picture was decoded")


def carrying(media_type=MEDIA_TYPE, data=DATA, decode=never):
    return lazy_picture(Source(media_type, data), (96, 64), decode)


@pytest.fixture
def chat_messages(monkeypatch):
    """lmms-eval's own class with our seams in it, taken out again afterwards."""
    protocol = pytest.importorskip("lmms_eval.protocol")
    ours = type("ChatMessages", (protocol.ChatMessages,), {"__module__": protocol.__name__})
    module = SimpleNamespace(ChatMessages=ours)
    for name in METHODS:  # the class may have been seamed on import; start from the plain methods
        method = getattr(protocol.ChatMessages, name)
        setattr(ours, name, getattr(method, "__wrapped__", method))
    plugin.install_pass_through(module)
    return ours


def message(*parts, role="user"):
    return {"role": role, "content": list(parts)}


def image(picture):
    return {"type": "image", "url": picture}


def text(words):
    return {"type": "text", "text": words}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("encoding", ["PNG", "JPEG", "WEBP"])
def test_the_file_arrives_whatever_the_encoding(chat_messages, monkeypatch, method, encoding):
    monkeypatch.setenv("LMMS_IMAGE_ENCODE_FORMAT", encoding)
    ordinary = scene()
    messages = [
        message(text("system"), role="system"),
        message(
            image(carrying()), text("one"), image(ordinary), image(carrying("image/png", b"x"))
        ),
    ]
    sent = getattr(chat_messages(messages=messages), method)(video_kwargs={"nframes": 2})
    alone = getattr(chat_messages(messages=[message(image(ordinary))]), method)()
    first, words, other, second = sent[1]["content"]
    assert sent[0] == {"role": "system", "content": [text("system")]}
    assert first == {
        "type": "image_url",
        "image_url": {"url": f"data:image/jpeg;base64,{base64.b64encode(DATA).decode()}"},
    }
    assert words == text("one")
    assert [other] == alone[0]["content"]
    assert other["image_url"]["url"].startswith(f"data:image/{encoding.lower()};base64,")
    assert second["image_url"]["url"] == "data:image/png;base64,eA=="


@pytest.mark.parametrize("method", METHODS)
def test_messages_without_such_pictures_are_not_touched(chat_messages, monkeypatch, method, lines):
    protocol = pytest.importorskip("lmms_eval.protocol")
    seen = []

    def render(self, video_kwargs=None):
        seen.append(self)
        return ["as ever"]

    monkeypatch.setattr(protocol.ChatMessages, method, render)
    ours = type("ChatMessages", (protocol.ChatMessages,), {})
    plugin.install_pass_through(SimpleNamespace(ChatMessages=ours))
    messages = ours(messages=[message(image(scene()), text("<picture 0>"))])
    assert getattr(messages, method)() == ["as ever"]
    assert seen == [messages]
    assert seen[0] is messages


def test_a_picture_that_was_changed_is_sent_as_it_is_now(chat_messages):
    picture = carrying(decode=scene)
    picture.paste("red", (0, 0, 96, 64))
    sent = chat_messages(messages=[message(image(picture))]).to_openai_messages()
    plain = chat_messages(
        messages=[message(image(Image.new("RGB", (96, 64), "red")))]
    ).to_openai_messages()
    assert sent == plain


class Part(SimpleNamespace):
    pass


def foreign(render):
    """A ChatMessages of some future lmms-eval that renders in its own way."""

    class ChatMessages:
        def __init__(self, messages):
            self.messages = [
                SimpleNamespace(
                    role=each["role"] if isinstance(each, dict) else each.role,
                    content=each["content"] if isinstance(each, dict) else each.content,
                )
                for each in messages
            ]

        def to_openai_messages(self, video_kwargs=None):
            return render(self)

        def to_qwen3_vl_openai_messages(self, video_kwargs=None):
            return render(self)

    plugin.install_pass_through(SimpleNamespace(ChatMessages=ChatMessages))
    return ChatMessages


@pytest.mark.parametrize(
    "render",
    [
        lambda self: [{"role": "user", "content": "all in one text"}],
        lambda self: [{"role": "user", "content": []}],
        lambda self: [],
        lambda self: None,
        lambda self: [{"role": "user", "content": [{"type": "input_text"}]}] * 2,
    ],
)
def test_a_rendering_that_does_not_fit_is_used_as_it_is_and_named_once(lines, render):
    chat = foreign(render)
    for _ in range(3):
        messages = chat([{"role": "user", "content": [Part(type="image", url=carrying())]}])
        assert messages.to_openai_messages() == render(messages)
    (line,) = [line for line in lines if "to_openai_messages" in line]
    assert "as lmms-eval encodes them" in line


def test_an_error_of_lmms_evals_own_stays_the_same(lines):
    def render(self):
        raise ImportError("qwen_vl_utils is required")

    messages = foreign(render)([{"role": "user", "content": [Part(type="image", url=carrying())]}])
    with pytest.raises(ImportError, match="qwen_vl_utils"):
        messages.to_openai_messages()


@pytest.mark.parametrize(
    "module", [SimpleNamespace(), SimpleNamespace(ChatMessages=type("C", (), {}))]
)
def test_where_the_seam_does_not_fit_it_is_left_out_and_named(lines, module):
    plugin.install_pass_through(module)
    assert [line.split("(")[1].split(":")[0] for line in lines] == [
        f"ChatMessages.{method}" for method in METHODS
    ]
    assert all("as lmms-eval encodes them" in line for line in lines)


def test_a_protocol_that_is_gone_is_named(lines, monkeypatch):
    monkeypatch.setattr(plugin, "find_spec", lambda name: None)
    monkeypatch.setattr(plugin, "when_imported", lambda *_: None)
    plugin.manifests()
    plugin.manifests()
    (line,) = lines
    assert "lmms_eval.protocol" in line


def test_stand_ins_are_found_again_or_it_is_an_error():
    stand_ins = StandIns()
    assert not stand_ins
    part = Part(url=carrying())
    (stood_in,) = stand_ins.instead_of([part])
    assert stand_ins
    assert [stood_in] != StandIns().instead_of([part])
    with pytest.raises(LookupError, match="1 pictures have 2 places"):
        stand_ins.put_back([{"content": [stood_in, dict(stood_in)]}])
    with pytest.raises(LookupError, match="1 pictures have 0 places"):
        stand_ins.put_back([{"content": [{"type": "text", "text": f"see {stood_in['text']}"}]}])
