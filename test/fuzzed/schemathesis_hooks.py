"""What the document leaves to Schemathesis to know. The `iri` of an article is an address of the web: without this nothing would be made that fits it."""
import schemathesis
from hypothesis import strategies as st

HOSTS = st.from_regex(r"[a-z][a-z0-9]{0,10}(\.[a-z]{2,5}){1,2}", fullmatch=True)
PATHS = st.from_regex(r"(/[a-zA-Z0-9._~äé路-]{0,12}){0,3}", fullmatch=True)
schemathesis.openapi.format("iri", st.builds("{}://{}{}".format, st.sampled_from(["http", "https", "HTTPS"]), HOSTS, PATHS))


INTEGER_MAX = 2**53 - 1


def exact(value):
    """Whole numbers that JSON readers would change are refused wherever they stand, in fields that nobody looks at too: the document has no words for that."""
    if isinstance(value, dict):
        return {key: exact(held) for key, held in value.items()}
    if isinstance(value, list):
        return [exact(held) for held in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-INTEGER_MAX, min(INTEGER_MAX, value))
    return value


@schemathesis.hook
def map_body(context, body):
    """Which names are registered is not for the document to say: what is checked against them is refused."""
    body = exact(body)
    if isinstance(body, dict) and body.get("strict") is True:
        body["strict"] = False
    # Nor that one name is compared with one value, and several conditions with "and" between them.
    condition = body.get("metadata_condition") if isinstance(body, dict) else None
    if isinstance(condition, dict) and isinstance(condition.get("conditions"), list):
        del condition["conditions"][1:]
    return body


@schemathesis.hook
def filter_query(context, query):
    """In an address everything is text: a null under metadata.KEY comes as the four letters, and is as good as any others."""
    given = dict(query or {})
    if isinstance(given.get("metadata"), dict):
        given.update(given.pop("metadata"))
    return all(isinstance(value, str) for name, value in given.items() if name.startswith("metadata."))
