import { describe, expect, it } from "vitest";
import { allowedMethods, handlerOf, matchRoute, pathSegments } from "../src/router.ts";
import { routesWith } from "../src/routes/table.ts";

const routes = [
  { path: "/things/special", handlers: { POST: "special" } },
  { path: "/things", handlers: { GET: "list", POST: "create" } },
  { path: "/things/:id", handlers: { PUT: "update", DELETE: "remove" } },
];

function find(path: string) {
  return matchRoute(routes, pathSegments(path));
}

describe("matchRoute", () => {
  it("matches a literal path", () => {
    expect(find("/things")).toMatchObject({ route: { path: "/things" } });
  });

  it("takes the one segment of a parameter, decoded", () => {
    const match = find("/things/a%2Fb%20%C3%A9");
    expect(match).toMatchObject({ route: { path: "/things/:id" }, parameters: new Map([["id", "a/b é"]]) });
  });

  it("prefers the literal path to the parameter, also where it is percent-encoded", () => {
    expect(find("/things/special")).toMatchObject({ route: { path: "/things/special" } });
    expect(find("/things/speci%61l")).toMatchObject({ route: { path: "/things/special" } });
  });

  it.each([
    "",
    "/",
    "/thing",
    "/things/",
    "//things",
    "/things/a/b",
    "/Things",
    "/things/../things",
    "/things%2Fspecial",
  ])("knows no path %j", (path) => {
    expect(find(path)).toBeUndefined();
  });

  it.each(["%", "%zz", "%ff", "%C3", "%C0%AF", "%ED%A0%80"])("takes the segment %s as it stands", (segment) => {
    expect(find(`/${segment}`)).toBeUndefined();
    expect(find(`/things/${segment}`)).toMatchObject({ parameters: new Map([["id", segment]]) });
  });
});

describe("handlerOf", () => {
  const route = { path: "/x", handlers: { GET: "read" } };

  it("serves HEAD as GET and nothing else that it was not given", () => {
    expect(handlerOf(route, "GET")).toBe("read");
    expect(handlerOf(route, "HEAD")).toBe("read");
    expect(handlerOf(route, "POST")).toBeUndefined();
    expect(handlerOf(route, "constructor")).toBeUndefined();
    expect(handlerOf(route, "get")).toBeUndefined();
  });
});

describe("allowedMethods", () => {
  it("names each method once", () => {
    expect(allowedMethods(routes.slice(1, 2))).toBe("GET, HEAD, POST, OPTIONS");
    expect(allowedMethods(routesWith({ docs: true }).all)).toBe("GET, HEAD, POST, PUT, DELETE, OPTIONS");
  });
});
