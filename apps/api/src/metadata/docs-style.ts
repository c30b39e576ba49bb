/**
 * What Swagger UI's own style sheet leaves too pale or too small to be read by everybody (WCAG 2.2 AA). Where there is
 * one server, there is none to choose.
 */
export const DOCS_STYLE = `.swagger-ui .info .title small { background: #4a5160; }
.swagger-ui .info .title small.version-stamp { background: #3d6200; }
.swagger-ui .info a, .swagger-ui .info .url { color: #0b5cad; }
.swagger-ui .info a { display: inline-block; min-height: 24px; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #1d6b45; }
.swagger-ui .opblock[class] .opblock-summary-method { background: #0b5cad; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #505050; }
.swagger-ui .opblock-summary-path a.nostyle { display: inline-block; line-height: 24px; min-width: 24px; }
.swagger-ui .scheme-container .schemes .schemes-server-container { display: none; }
`;
