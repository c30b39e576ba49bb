import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about the object a path addresses: 100300 to 100399, and the identifiers clients knew before. */
export const resourceErrors = {
  invalidIdentifier: {
    errorMessageId: 100300,
    status: 400,
    namespace: 'resource',
    parameters: ['name', 'found', 'minimum'],
    technicalDescription:
      'An identifier in the path is no integer, or is below the smallest identifier that its kind of object has. Take identifiers from a list or a link of the service.',
    texts: {
      eng: 'The {0} in the path cannot be “{1}”. Give an integer of at least {2}.',
      nob: '{0} i stien kan ikke være «{1}». Oppgi et heltall som er minst {2}.',
      swe: '{0} i sökvägen kan inte vara ”{1}”. Ange ett heltal som är minst {2}.',
      dan: '{0} i stien kan ikke være »{1}«. Angiv et heltal, der er mindst {2}.',
      deu: '{0} im Pfad darf nicht „{1}“ sein. Geben Sie eine ganze Zahl ab {2} an.',
      fra: '{0} dans le chemin ne peut pas être «\u00a0{1}\u00a0». Indiquez un nombre entier d’au moins {2}.',
      spa: '{0} en la ruta no puede ser «{1}». Indique un número entero no inferior a {2}.',
      pol: '{0} w ścieżce nie może mieć wartości „{1}”. Podaj liczbę całkowitą nie mniejszą niż {2}.',
    },
  },
  errorMessageNotFound: {
    errorMessageId: 100301,
    status: 404,
    namespace: 'resource',
    parameters: ['errorMessageId'],
    technicalDescription:
      'No error message has this identifier. The list of error messages holds every one that the service can answer with.',
    texts: {
      eng: 'There is no error message {0}. Look up its identifier in the list of error messages.',
      nob: 'Det finnes ingen feilmelding {0}. Finn identifikatoren i listen over feilmeldinger.',
      swe: 'Det finns inget felmeddelande {0}. Sök upp identifieraren i listan över felmeddelanden.',
      dan: 'Der findes ingen fejlmeddelelse {0}. Find identifikatoren i listen over fejlmeddelelser.',
      deu: 'Es gibt keine Fehlermeldung {0}. Suchen Sie die Kennung in der Liste der Fehlermeldungen.',
      fra: 'Il n’existe pas de message d’erreur {0}. Cherchez son identifiant dans la liste des messages d’erreur.',
      spa: 'No existe el mensaje de error {0}. Busque su identificador en la lista de mensajes de error.',
      pol: 'Nie ma komunikatu o błędzie {0}. Znajdź jego identyfikator na liście komunikatów o błędach.',
    },
  },
  permissionNotFound: {
    errorMessageId: 101015,
    status: 404,
    namespace: 'resource',
    parameters: [],
    technicalDescription:
      'There is no such application version in this company, or none at all; which of the two is not told. Check the identifiers of the application and its version, and the company in $db.',
    // Clients know this identifier with exactly this English text: it names nothing and advises nothing.
    texts: {
      eng: 'Permission not found',
      nob: 'Fant ikke tillatelsen',
      swe: 'Behörigheten hittades inte',
      dan: 'Tilladelsen blev ikke fundet',
      deu: 'Berechtigung nicht gefunden',
      fra: 'Autorisation introuvable',
      spa: 'Permiso no encontrado',
      pol: 'Nie znaleziono uprawnienia',
    },
  },
} as const satisfies ErrorDefinitions<'resource'>;
