"""XML from other programs, without document types, whose entities could fill the memory."""

from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat


class DocumentTypeError(ValueError):
    """Raised for XML with a document type."""


def tree_of(data: bytes) -> Element:
    """Return the root element of an XML document.

    Raises DocumentTypeError, and expat.ExpatError, ValueError, AssertionError or LookupError for invalid XML.
    """
    builder, parser = TreeBuilder(), expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, given: builder.start(
        _named(name), {_named(key): value for key, value in given.items()}
    )
    parser.EndElementHandler = lambda name: builder.end(_named(name))
    parser.CharacterDataHandler = builder.data

    def refuse(*_: Any) -> None:
        raise DocumentTypeError("it has a document type (DOCTYPE)")

    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(data, True)
    return builder.close()


def _named(name: str) -> str:
    """Return a name as ElementTree writes it: `{namespace}name`."""
    return f"{{{name}" if "}" in name else name
