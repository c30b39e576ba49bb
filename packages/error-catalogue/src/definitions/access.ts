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
  permissionMissing: {
    errorMessageId: 100102,
    status: 403,
    namespace: 'access',
    parameters: ['permission'],
    technicalDescription:
      'The API client that the access token was given to is not permitted to read this resource, whoever is signed in. An administrator permits it with “takt client permit ID RESOURCE”; a token in use has the new right within seconds.',
    wwwAuthenticate: 'Bearer error="insufficient_scope"',
    texts: {
      eng: 'The API client of this access token lacks the permission “{0}”. Ask an administrator to permit it, or use a client that has it.',
      nob: 'API-klienten til dette tilgangstokenet mangler tillatelsen «{0}». Be en administrator om å gi den, eller bruk en klient som har den.',
      swe: 'API-klienten för denna åtkomsttoken saknar behörigheten ”{0}”. Be en administratör att ge den, eller använd en klient som har den.',
      dan: 'API-klienten for dette adgangstoken mangler tilladelsen »{0}«. Bed en administrator om at give den, eller brug en klient, der har den.',
      deu: 'Dem API-Client dieses Zugriffstokens fehlt die Berechtigung „{0}“. Bitten Sie die Administration, sie zu erteilen, oder verwenden Sie einen Client, der sie hat.',
      fra: 'Le client API de ce jeton d’accès n’a pas l’autorisation «\u00a0{0}\u00a0». Demandez à un administrateur de l’accorder, ou utilisez un client qui l’a.',
      spa: 'Al cliente de API de este token de acceso le falta el permiso «{0}». Pida a un administrador que lo conceda o use un cliente que lo tenga.',
      pol: 'Klient API tego tokenu dostępu nie ma uprawnienia „{0}”. Poproś administratora o jego nadanie albo użyj klienta, który je ma.',
    },
  },
  dutyMissing: {
    errorMessageId: 100103,
    status: 403,
    namespace: 'access',
    parameters: ['duty'],
    technicalDescription:
      'The person who is signed in, or the API client that acts for itself, is not trusted with the duty that this resource needs. An administrator gives it with “takt user duty PID DUTY” or “takt client duty ID DUTY”; a token in use has the new right within seconds.',
    wwwAuthenticate: 'Bearer error="insufficient_scope"',
    texts: {
      eng: 'You lack the duty “{0}”, which this resource needs. Ask an administrator to assign it to you.',
      nob: 'Du mangler oppgaven «{0}», som denne ressursen krever. Be en administrator om å gi deg den.',
      swe: 'Du saknar uppgiften ”{0}”, som den här resursen kräver. Be en administratör att ge dig den.',
      dan: 'Du mangler opgaven »{0}«, som denne ressource kræver. Bed en administrator om at give dig den.',
      deu: 'Ihnen fehlt die Aufgabe „{0}“, die diese Ressource verlangt. Bitten Sie die Administration, sie Ihnen zu geben.',
      fra: 'Il vous manque la fonction «\u00a0{0}\u00a0», requise par cette ressource. Demandez à un administrateur de vous l’attribuer.',
      spa: 'Le falta la función «{0}», que este recurso requiere. Pida a un administrador que se la asigne.',
      pol: 'Brakuje Ci obowiązku „{0}”, którego wymaga ten zasób. Poproś administratora o jego przydzielenie.',
    },
  },
  tokenBudgetSpent: {
    errorMessageId: 100104,
    status: 500,
    namespace: 'access',
    parameters: ['limit'],
    technicalDescription:
      'With this access token more requests were made within a minute than one token may make. Nothing was done; repeat the request after the seconds of the Retry-After header. Who operates the service sets the number with TAKT_REQUESTS_PER_MINUTE.',
    retryAfterSeconds: 3,
    texts: {
      eng: 'More than {0} requests in a minute were made with this access token. Try again after the time given in Retry-After.',
      nob: 'Det er sendt mer enn {0} forespørsler i løpet av et minutt med dette tilgangstokenet. Prøv igjen etter tiden som står i Retry-After.',
      swe: 'Fler än {0} begäranden på en minut har gjorts med denna åtkomsttoken. Försök igen efter den tid som anges i Retry-After.',
      dan: 'Der er sendt mere end {0} forespørgsler på et minut med dette adgangstoken. Prøv igen efter den tid, der står i Retry-After.',
      deu: 'Mit diesem Zugriffstoken wurden mehr als {0} Anfragen in einer Minute gestellt. Versuchen Sie es nach der in Retry-After angegebenen Zeit erneut.',
      fra: 'Plus de {0} requêtes en une minute ont été faites avec ce jeton d’accès. Réessayez après le délai indiqué dans Retry-After.',
      spa: 'Se han hecho más de {0} peticiones en un minuto con este token de acceso. Inténtelo de nuevo tras el tiempo indicado en Retry-After.',
      pol: 'W ciągu minuty wysłano z tym tokenem dostępu ponad {0} żądań. Spróbuj ponownie po czasie podanym w Retry-After.',
    },
  },
} as const satisfies ErrorDefinitions<'access'>;
