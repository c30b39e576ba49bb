import type { Translations } from '@takt/error-catalogue';
import type { Group } from '../field.js';
import { documentNodes } from '../nodes-with.js';

const { address, collection, group, integer, text } = documentNodes;

/** What is answered at the root: what there is, and where. The values are made by the service. */
export const service: Group = group('Service', 'What this service serves, and where.', [
  text('Name', 'Name of the service.'),
  collection('Resources', 'The resources, which are read with GET.', () =>
    group('Resource', 'A resource.', [
      integer('ResourceId', 'Identifier of the resource, as in the header Resource-Id.'),
      integer('Version', 'Its newest version, as in the header Resource-Version.'),
      text('Title', 'What people call it, in the language of $lang.'),
      text('Summary', 'What it tells, in the language of $lang.'),
      text('Path', 'Where it is, below the address of the service; {name} stands for an identifier.'),
      address('ResourceLink', 'Address of the resource; missing where it needs identifiers or parameters.', {
        isNullable: true,
      }),
    ]),
  ),
  collection('Documents', 'What tells about the service; no token is needed.', () =>
    group('Document', 'A document or page.', [
      text('Title', 'What people call it, in the language of $lang.'),
      text('Summary', 'What it tells, in the language of $lang.'),
      address('DocumentLink', 'Its address.'),
    ]),
  ),
]);

/** What the service and its documents are called. */
export const serviceTexts = {
  lead: {
    eng: 'Planned against actual production times.',
    nob: 'Planlagte mot faktiske produksjonstider.',
    swe: 'Planerade mot faktiska produktionstider.',
    dan: 'Planlagte mod faktiske produktionstider.',
    deu: 'Geplante gegen tatsächliche Produktionszeiten.',
    fra: 'Temps de production prévus et réels.',
    spa: 'Tiempos de producción previstos y reales.',
    pol: 'Planowane i rzeczywiste czasy produkcji.',
  },
  documentation: {
    eng: 'Documentation',
    nob: 'Dokumentasjon',
    swe: 'Dokumentation',
    dan: 'Dokumentation',
    deu: 'Dokumentation',
    fra: 'Documentation',
    spa: 'Documentación',
    pol: 'Dokumentacja',
  },
  documentationSummary: {
    eng: 'Every request with its parameters, to read and to try out.',
    nob: 'Alle forespørsler med parametere, til å lese og prøve ut.',
    swe: 'Alla förfrågningar med sina parametrar, att läsa och prova.',
    dan: 'Alle forespørgsler med deres parametre, til at læse og prøve.',
    deu: 'Alle Anfragen mit ihren Parametern, zum Lesen und Ausprobieren.',
    fra: 'Toutes les requêtes avec leurs paramètres, à lire et à essayer.',
    spa: 'Todas las peticiones con sus parámetros, para leer y probar.',
    pol: 'Wszystkie żądania z parametrami, do przeczytania i wypróbowania.',
  },
  openApi: {
    eng: 'OpenAPI',
    nob: 'OpenAPI',
    swe: 'OpenAPI',
    dan: 'OpenAPI',
    deu: 'OpenAPI',
    fra: 'OpenAPI',
    spa: 'OpenAPI',
    pol: 'OpenAPI',
  },
  openApiSummary: {
    eng: 'The same for programs: clients can be generated from it.',
    nob: 'Det samme for programmer: klienter kan genereres av det.',
    swe: 'Detsamma för program: klienter kan genereras av det.',
    dan: 'Det samme til programmer: klienter kan genereres ud fra det.',
    deu: 'Dasselbe für Programme: Daraus lassen sich Clients erzeugen.',
    fra: 'La même chose pour les programmes\u00a0: on peut en générer des clients.',
    spa: 'Lo mismo para programas: a partir de ello se pueden generar clientes.',
    pol: 'To samo dla programów: można z tego wygenerować klientów.',
  },
  xmlSchema: {
    eng: 'XML schema',
    nob: 'XML-skjema',
    swe: 'XML-schema',
    dan: 'XML-skema',
    deu: 'XML-Schema',
    fra: 'Schéma XML',
    spa: 'Esquema XML',
    pol: 'Schemat XML',
  },
  xmlSchemaSummary: {
    eng: 'How the XML documents are built.',
    nob: 'Hvordan XML-dokumentene er bygd opp.',
    swe: 'Hur XML-dokumenten är uppbyggda.',
    dan: 'Hvordan XML-dokumenterne er bygget op.',
    deu: 'Wie die XML-Dokumente aufgebaut sind.',
    fra: 'La structure des documents XML.',
    spa: 'Cómo están construidos los documentos XML.',
    pol: 'Budowa dokumentów XML.',
  },
  health: {
    eng: 'Health',
    nob: 'Tilstand',
    swe: 'Tillstånd',
    dan: 'Tilstand',
    deu: 'Zustand',
    fra: 'État',
    spa: 'Estado',
    pol: 'Stan',
  },
  healthSummary: {
    eng: 'Whether the service can answer at this moment.',
    nob: 'Om tjenesten kan svare akkurat nå.',
    swe: 'Om tjänsten kan svara just nu.',
    dan: 'Om tjenesten kan svare lige nu.',
    deu: 'Ob der Dienst im Augenblick antworten kann.',
    fra: 'Si le service peut répondre en ce moment.',
    spa: 'Si el servicio puede responder en este momento.',
    pol: 'Czy usługa może w tej chwili odpowiadać.',
  },
} satisfies Readonly<Record<string, Translations>>;
