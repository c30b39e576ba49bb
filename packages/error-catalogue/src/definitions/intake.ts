import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about events that are sent over HTTP: faults of events from 100400, of the request that holds them from 100450. */
export const intakeErrors = {
  invalidEvents: {
    errorMessageId: 100400,
    status: 400,
    namespace: 'intake',
    parameters: ['invalid', 'events'],
    technicalDescription:
      'Of the events in the request, as many as the first parameter says break a rule of the contract, and nothing of the request was taken. Each inner error names one fault, up to the thousandth. Correct the events and send all of them again, or set skipInvalid=true to have the valid ones taken and the others listed.',
    texts: {
      eng: 'Nothing was taken, because of invalid events: {0} of {1}. Their faults are in innerErrors. Correct them, or send skipInvalid=true to have the valid ones taken.',
      nob: 'Ingenting ble tatt imot på grunn av ugyldige hendelser: {0} av {1}. Feilene står i innerErrors. Rett dem, eller send skipInvalid=true for at de gyldige skal tas imot.',
      swe: 'Inget togs emot på grund av ogiltiga händelser: {0} av {1}. Felen står i innerErrors. Rätta dem, eller skicka skipInvalid=true så att de giltiga tas emot.',
      dan: 'Intet blev modtaget på grund af ugyldige hændelser: {0} af {1}. Fejlene står i innerErrors. Ret dem, eller send skipInvalid=true, så de gyldige modtages.',
      deu: 'Wegen ungültiger Ereignisse wurde nichts angenommen: {0} von {1}. Die Fehler stehen in innerErrors. Berichtigen Sie sie oder senden Sie skipInvalid=true, damit die gültigen angenommen werden.',
      fra: 'Rien n’a été accepté, à cause d’événements non valides\u00a0: {0} sur {1}. Les erreurs figurent dans innerErrors. Corrigez-les, ou envoyez skipInvalid=true pour que les autres soient acceptés.',
      spa: 'No se ha aceptado nada debido a eventos no válidos: {0} de {1}. Los fallos figuran en innerErrors. Corríjalos o envíe skipInvalid=true para que se acepten los válidos.',
      pol: 'Niczego nie przyjęto z powodu nieprawidłowych zdarzeń: {0} z {1}. Błędy są podane w innerErrors. Popraw je albo wyślij skipInvalid=true, aby przyjąć prawidłowe.',
    },
  },
  invalidEvent: {
    errorMessageId: 100401,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'field', 'rule', 'got'],
    technicalDescription:
      'An event breaks a rule of the contract. The parameters are the position of the event in the request, counted from 0, the path of the field, or “event” for the event as a whole, the rule, and what was there instead. Rules and fields are those of the JSON Schemas; the worker and the command line judge by them with the same words.',
    texts: {
      eng: 'Event {0}: {1} {2} (got {3}).',
      nob: 'Hendelse {0}: {1} {2} (mottok {3}).',
      swe: 'Händelse {0}: {1} {2} (fick {3}).',
      dan: 'Hændelse {0}: {1} {2} (modtog {3}).',
      deu: 'Ereignis {0}: {1} {2} (erhalten: {3}).',
      fra: 'Événement {0}\u00a0: {1} {2} (reçu\u00a0: {3}).',
      spa: 'Evento {0}: {1} {2} (recibido: {3}).',
      pol: 'Zdarzenie {0}: {1} {2} (otrzymano: {3}).',
    },
  },
  companyOfEventNotPermitted: {
    errorMessageId: 100402,
    status: 403,
    namespace: 'intake',
    parameters: ['index', 'database'],
    technicalDescription:
      'An event is of a company that the access token has no right to publish for; its position in the request is counted from 0. Whether that company exists is not told. Correct data.database, or use a token of that company with the right to publish.',
    texts: {
      eng: 'Event {0}: the access token gives no right to publish for the company “{1}”. Correct data.database, or use a token of that company.',
      nob: 'Hendelse {0}: tilgangstokenet gir ikke rett til å publisere for firmaet «{1}». Rett data.database, eller bruk et token for det firmaet.',
      swe: 'Händelse {0}: åtkomsttoken ger inte rätt att publicera för företaget ”{1}”. Rätta data.database, eller använd en token för det företaget.',
      dan: 'Hændelse {0}: adgangstokenet giver ikke ret til at publicere for virksomheden »{1}«. Ret data.database, eller brug et token til den virksomhed.',
      deu: 'Ereignis {0}: Das Zugriffstoken berechtigt nicht, für das Unternehmen „{1}“ zu veröffentlichen. Berichtigen Sie data.database oder verwenden Sie ein Token dieses Unternehmens.',
      fra: 'Événement {0}\u00a0: le jeton d’accès ne donne pas le droit de publier pour la société «\u00a0{1}\u00a0». Corrigez data.database, ou utilisez un jeton de cette société.',
      spa: 'Evento {0}: el token de acceso no da derecho a publicar para la empresa «{1}». Corrija data.database o use un token de esa empresa.',
      pol: 'Zdarzenie {0}: token dostępu nie daje prawa do publikowania dla firmy „{1}”. Popraw data.database albo użyj tokenu tej firmy.',
    },
  },
  tooManyEvents: {
    errorMessageId: 100403,
    status: 400,
    namespace: 'intake',
    parameters: ['limit'],
    technicalDescription:
      'A request holds more events than one may, and nothing of it was taken. Divide them among several requests; they may be sent side by side.',
    texts: {
      eng: 'The request holds more than {0} events. Divide them among several requests.',
      nob: 'Forespørselen inneholder mer enn {0} hendelser. Fordel dem på flere forespørsler.',
      swe: 'Begäran innehåller fler än {0} händelser. Fördela dem på flera begäranden.',
      dan: 'Forespørgslen indeholder mere end {0} hændelser. Fordel dem på flere forespørgsler.',
      deu: 'Die Anfrage enthält mehr als {0} Ereignisse. Verteilen Sie sie auf mehrere Anfragen.',
      fra: 'La requête contient plus de {0} événements. Répartissez-les sur plusieurs requêtes.',
      spa: 'La petición contiene más de {0} eventos. Repártalos en varias peticiones.',
      pol: 'Żądanie zawiera ponad {0} zdarzeń. Rozdziel je na kilka żądań.',
    },
  },
  tooManyValuesInEvent: {
    errorMessageId: 100404,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit', 'byte'],
    technicalDescription:
      'An event holds more values than one may, and nothing of the request was taken. Objects, arrays and what they hold are counted, extensions included. The parameters are the position of the event in the request, counted from 0, how many values one may hold, and the byte of the unpacked body, as UTF-8 and counted from 0, at which there were more.',
    texts: {
      eng: 'Event {0} holds more than {1} values (at byte {2} of the body).',
      nob: 'Hendelse {0} inneholder mer enn {1} verdier (ved byte {2} i meldingskroppen).',
      swe: 'Händelse {0} innehåller fler än {1} värden (vid byte {2} i meddelandekroppen).',
      dan: 'Hændelse {0} indeholder mere end {1} værdier (ved byte {2} i meddelelseskroppen).',
      deu: 'Ereignis {0} enthält mehr als {1} Werte (bei Byte {2} des Inhalts).',
      fra: 'L’événement {0} contient plus de {1} valeurs (à l’octet {2} du corps).',
      spa: 'El evento {0} contiene más de {1} valores (en el byte {2} del cuerpo).',
      pol: 'Zdarzenie {0} zawiera ponad {1} wartości (w bajcie {2} treści).',
    },
  },
  tooManyValues: {
    errorMessageId: 100405,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit'],
    technicalDescription:
      'The events of a request hold more values together than they may, and nothing of it was taken. Objects, arrays and what they hold are counted, extensions included. The parameters are the position of the event with which they are too many, counted from 0, and how many there may be; divide the events among several requests.',
    texts: {
      eng: 'The events up to event {0} hold more than {1} values. Divide them among several requests.',
      nob: 'Hendelsene til og med hendelse {0} inneholder mer enn {1} verdier. Fordel dem på flere forespørsler.',
      swe: 'Händelserna till och med händelse {0} innehåller fler än {1} värden. Fördela dem på flera begäranden.',
      dan: 'Hændelserne til og med hændelse {0} indeholder mere end {1} værdier. Fordel dem på flere forespørgsler.',
      deu: 'Die Ereignisse bis zu Ereignis {0} enthalten mehr als {1} Werte. Verteilen Sie sie auf mehrere Anfragen.',
      fra: 'Les événements jusqu’à l’événement {0} contiennent plus de {1} valeurs. Répartissez-les sur plusieurs requêtes.',
      spa: 'Los eventos hasta el evento {0} contienen más de {1} valores. Repártalos en varias peticiones.',
      pol: 'Zdarzenia do zdarzenia {0} włącznie zawierają ponad {1} wartości. Rozdziel je na kilka żądań.',
    },
  },
} as const satisfies ErrorDefinitions<'intake'>;
