import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about who asks and what they may see: 100100 to 100199. */
export const accessErrors = {
  invalidAccessToken: {
    errorMessageId: 100100,
    status: 403,
    namespace: 'access',
    parameters: [],
    technicalDescription:
      'The access token is missing, malformed, unknown, expired or revoked; which of these is not told. Request a new token and send it in the header Authorization: Bearer, or else in the parameter $access_token.',
    wwwAuthenticate: 'Bearer error="invalid_token"',
    texts: {
      eng: 'Invalid $access_token: it is missing, malformed, unknown, expired or revoked. Get a new one and send it as Authorization: Bearer <token>.',
      nob: 'Ugyldig $access_token: det mangler, er feil utformet, ukjent, utløpt eller tilbakekalt. Hent et nytt, og send det som Authorization: Bearer <token>.',
      swe: 'Ogiltig $access_token: den saknas, är felaktigt utformad, okänd, utgången eller återkallad. Hämta en ny och skicka den som Authorization: Bearer <token>.',
      dan: 'Ugyldigt $access_token: det mangler, er forkert udformet, ukendt, udløbet eller tilbagekaldt. Hent et nyt, og send det som Authorization: Bearer <token>.',
      deu: 'Ungültiges $access_token: Es fehlt, ist fehlerhaft aufgebaut, unbekannt, abgelaufen oder widerrufen. Fordern Sie ein neues an und senden Sie es als Authorization: Bearer <token>.',
      fra: '$access_token non valide\u00a0: il est absent, mal formé, inconnu, expiré ou révoqué. Demandez-en un nouveau et envoyez-le sous la forme Authorization: Bearer <token>.',
      spa: '$access_token no válido: falta, está mal formado, es desconocido, ha caducado o se ha revocado. Solicite uno nuevo y envíelo como Authorization: Bearer <token>.',
      pol: 'Nieprawidłowy $access_token: brakuje go, jest źle zbudowany, nieznany, wygasł lub został unieważniony. Pobierz nowy i wyślij go jako Authorization: Bearer <token>.',
    },
  },
  companyNotPermitted: {
    errorMessageId: 100101,
    status: 403,
    namespace: 'access',
    parameters: ['database'],
    technicalDescription:
      'The parameter $db names a company that is not one of the access token. Whether that company exists is not told. Set $db to a company of the token, or leave it out to work in the default company.',
    texts: {
      eng: 'The access token gives no access to the company “{0}”. Set $db to a company of the token, or leave it out to use the default company.',
      nob: 'Tilgangstokenet gir ikke tilgang til firmaet «{0}». Sett $db til et firma som tokenet gjelder for, eller utelat den for å bruke standardfirmaet.',
      swe: 'Åtkomsttoken ger inte tillgång till företaget ”{0}”. Ange i $db ett företag som token gäller för, eller utelämna $db för att använda standardföretaget.',
      dan: 'Adgangstokenet giver ikke adgang til virksomheden »{0}«. Sæt $db til en virksomhed, som tokenet gælder for, eller udelad den for at bruge standardvirksomheden.',
      deu: 'Das Zugriffstoken gewährt keinen Zugriff auf das Unternehmen „{0}“. Setzen Sie $db auf ein Unternehmen des Tokens oder lassen Sie es weg, um das Standardunternehmen zu verwenden.',
      fra: 'Le jeton d’accès ne donne pas accès à la société «\u00a0{0}\u00a0». Indiquez dans $db une société du jeton, ou omettez-le pour utiliser la société par défaut.',
      spa: 'El token de acceso no da acceso a la empresa «{0}». Indique en $db una empresa del token u omítalo para usar la empresa predeterminada.',
      pol: 'Token dostępu nie daje dostępu do firmy „{0}”. Podaj w $db firmę przypisaną do tokenu albo pomiń ten parametr, aby użyć firmy domyślnej.',
    },
  },
} as const satisfies ErrorDefinitions<'access'>;
