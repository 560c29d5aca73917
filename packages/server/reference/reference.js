// The API's reference: Swagger UI on the server's own OpenAPI document. It only shows: a request that was sent from here
// would carry the session of an operator who is logged in.
const nothing = () => () => null;
const withoutAuthorizing = () => ({
  wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing },
});

globalThis.SwaggerUIBundle({
  dom_id: "#reference",
  url: "/v1/openapi.json",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  filter: true,
  operationsSorter: "alpha",
  supportedSubmitMethods: [],
  // It would write its colours into the elements, the same in light and dark.
  syntaxHighlight: { activated: false },
  // By default it asks a server of its makers whether the document is valid.
  validatorUrl: null,
  plugins: [withoutAuthorizing],
});
