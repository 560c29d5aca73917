import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Joined, Sentence } from "./sentence.tsx";

test("elements stand where the sentence has its parameters, in any order", () => {
  const html = renderToStaticMarkup(
    <Sentence of={(since, last) => `Último: ${last}, desde ${since}.`}>
      <time>ontem</time>
      <b>agora</b>
    </Sentence>,
  );
  expect(html).toBe("Último: <b>agora</b>, desde <time>ontem</time>.");
});

test("a title with a character for private use stays as it is", () => {
  const html = renderToStaticMarkup(
    <Sentence of={(title, when) => `“${title}”, ${when}`}>
      {"Pão \uE001\uE000"}
      <time>amanhã</time>
    </Sentence>,
  );
  expect(html).toBe("“Pão \uE001\uE000”, <time>amanhã</time>");
});

test("what is absent is not joined", () => {
  const html = renderToStaticMarkup(
    <Joined>
      <b>criada</b>
      {false}
      nunca usada
    </Joined>,
  );
  expect(html).toBe("<b>criada</b> · nunca usada");
});
