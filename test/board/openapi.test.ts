import { lintFromString, createConfig } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { boardStage } from "./board-stage.ts";
import { fakeSource } from "./fake-source.ts";

test("two independent validators find no problem in the OpenAPI document (B6)", async () => {
  await using stage = await boardStage(fakeSource(), { allowsControl: true });
  const text = await (await stage.get("/api/openapi.json")).text();
  const validated = await new Validator().validate(JSON.parse(text) as Record<string, unknown>);
  expect([validated.valid, validated.errors ?? []]).toEqual([true, []]);
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});

test("the OpenAPI document names every media type of an artifact, and the view of sweeps (B6)", async () => {
  await using stage = await boardStage(fakeSource());
  const document = (await (await stage.get("/api/openapi.json")).json()) as {
    paths: Record<string, { get: { responses: Record<string, { content: Record<string, unknown> }> } }>;
  };
  const typesOf = (path: string): string[] =>
    Object.keys(document.paths[path]?.get.responses["200"]?.content ?? {}).toSorted();
  expect(typesOf("/api/runs/{id}/artifacts/{kind}")).toEqual([
    "application/json",
    "application/x-asciicast",
    "image/png",
    "text/plain; charset=utf-8",
  ]);
  expect(typesOf("/api/sweep")).toEqual(["text/html"]);
});
