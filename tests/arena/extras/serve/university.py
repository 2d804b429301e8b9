"""An identity provider and a learning platform that run in the tests, on this machine."""

import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

LTI = "https://purl.imsglobal.org/spec/lti"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


class University:
    """Signs people in, has a course, and takes scores. Its answers can be made wrong."""

    def __init__(self) -> None:
        self.url = ""
        self.key = RSAKey.generate_key(2048, {"kid": "own", "use": "sig"}, private=True)
        self.signing_key = self.key
        self.person: dict[str, Any] = {"sub": "77", "email": "ann@example.edu", "name": "Ann Lee"}
        self.roles = [f"{ROLE}Learner"]
        self.course = "course-1"
        self.claims: dict[str, Any] = {}
        """Claims that differ from the right ones."""
        self.members: list[dict[str, Any]] = []
        self.scores: list[dict[str, Any]] = []
        self.items: list[dict[str, Any]] = []
        self._codes: dict[str, dict[str, str]] = {}

    def token(self, audience: str, nonce: str, more: dict[str, Any]) -> str:
        now = int(time.time())
        claims = {
            **{"iss": self.url, "aud": audience, "nonce": nonce, "iat": now, "exp": now + 60},
            **self.person,
            **more,
            **self.claims,
        }
        return jwt.encode({"alg": "RS256", "kid": "own"}, claims, self.signing_key)

    # -- the identity provider --------------------------------------------------------------------

    async def discovery(self, _: Request) -> Response:
        paths = {"authorization": "authorize", "token": "token"}
        ends = {f"{name}_endpoint": f"{self.url}/{path}" for name, path in paths.items()}
        return JSONResponse({"issuer": self.url, "jwks_uri": f"{self.url}/keys", **ends})

    async def keys(self, _: Request) -> Response:
        return JSONResponse(KeySet([self.key]).as_dict(private=False))

    async def authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_hex(8)
        self._codes[code] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?code={code}&state={asked['state']}", 303)

    async def give_token(self, request: Request) -> Response:
        form = await request.form()
        if form.get("grant_type") == "client_credentials":  # of a tool's service
            return JSONResponse({"access_token": "t", "token_type": "Bearer", "expires_in": 60})
        asked = self._codes.pop(str(form["code"]))
        assert form["code_verifier"]
        more = {"email_verified": True}
        token = self.token(asked["client_id"], asked["nonce"], more)
        answer = {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": token}
        return JSONResponse(answer)

    # -- the platform -----------------------------------------------------------------------------

    def launch_form(self, login: dict[str, str], deployment: str = "1") -> dict[str, str]:
        """Return the form that the platform lets a browser send, after the login with `login`."""
        services = f"{self.url}/services"
        more = {
            f"{LTI}/claim/message_type": "LtiResourceLinkRequest",
            f"{LTI}/claim/version": "1.3.0",
            f"{LTI}/claim/deployment_id": deployment,
            f"{LTI}/claim/target_link_uri": login["redirect_uri"],
            f"{LTI}/claim/resource_link": {"id": "link-1"},
            f"{LTI}/claim/context": {"id": self.course},
            f"{LTI}/claim/roles": self.roles,
            f"{LTI}-nrps/claim/namesroleservice": {
                "context_memberships_url": f"{services}/members",
                "service_versions": ["2.0"],
            },
            f"{LTI}-ags/claim/endpoint": {
                "scope": [f"{LTI}-ags/scope/lineitem", f"{LTI}-ags/scope/score"],
                "lineitems": f"{services}/items",
            },
        }
        return {
            "id_token": self.token(login["client_id"], login["nonce"], more),
            "state": login["state"],
        }

    async def show_members(self, _: Request) -> Response:
        return JSONResponse({"id": "m", "context": {"id": "c"}, "members": self.members})

    async def show_items(self, request: Request) -> Response:
        if request.method == "POST":
            item = {**json.loads(await request.body()), "id": f"{self.url}/services/items/1"}
            self.items.append(item)
            return JSONResponse(item, 201)
        return JSONResponse(self.items)

    async def take_score(self, request: Request) -> Response:
        self.scores.append(json.loads(await request.body()))
        return JSONResponse({})

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.discovery),
                Route("/keys", self.keys),
                Route("/authorize", self.authorize),
                Route("/token", self.give_token, methods=["POST"]),
                Route("/services/members", self.show_members),
                Route("/services/items", self.show_items, methods=["GET", "POST"]),
                Route("/services/items/1/scores", self.take_score, methods=["POST"]),
            ]
        )


@contextmanager
def open_university() -> Iterator[University]:
    """Run a university on a free port of this machine, in a thread."""
    university = University()
    listening = socket.create_server(("127.0.0.1", 0))
    university.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(university.app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield university
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
