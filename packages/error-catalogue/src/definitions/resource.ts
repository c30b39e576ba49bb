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
  structureVersionNotFound: {
    errorMessageId: 100302,
    status: 404,
    namespace: 'resource',
    parameters: ['productStructureVersionId'],
    technicalDescription:
      'No product structure version of this company has this identifier, or its master data have not arrived. Take identifiers from the list of product structure versions, and check the company in $db.',
    texts: {
      eng: 'There is no product structure version {0} in this company. Look up its identifier in the list of structure versions.',
      nob: 'Det finnes ingen produktstrukturversjon {0} i dette firmaet. Finn identifikatoren i listen over strukturversjoner.',
      swe: 'Det finns ingen produktstrukturversion {0} i det här företaget. Sök upp identifieraren i listan över strukturversioner.',
      dan: 'Der findes ingen produktstrukturversion {0} i denne virksomhed. Find identifikatoren i listen over strukturversioner.',
      deu: 'In diesem Unternehmen gibt es keine Produktstrukturversion {0}. Suchen Sie die Kennung in der Liste der Strukturversionen.',
      fra: 'Il n’existe pas de version de structure produit {0} dans cette société. Cherchez son identifiant dans la liste des versions de structure.',
      spa: 'No existe la versión de estructura del producto {0} en esta empresa. Busque su identificador en la lista de versiones de estructura.',
      pol: 'W tej firmie nie ma wersji struktury produktu {0}. Znajdź jej identyfikator na liście wersji struktury.',
    },
  },
  productNotFound: {
    errorMessageId: 100303,
    status: 404,
    namespace: 'resource',
    parameters: ['productId'],
    technicalDescription:
      'No product of this company has this identifier. Take identifiers from the list of products, and check the company in $db.',
    texts: {
      eng: 'There is no product {0} in this company. Look up its identifier in the list of products.',
      nob: 'Det finnes ikke noe produkt {0} i dette firmaet. Finn identifikatoren i listen over produkter.',
      swe: 'Det finns ingen produkt {0} i det här företaget. Sök upp identifieraren i listan över produkter.',
      dan: 'Der findes intet produkt {0} i denne virksomhed. Find identifikatoren i listen over produkter.',
      deu: 'In diesem Unternehmen gibt es kein Produkt {0}. Suchen Sie die Kennung in der Liste der Produkte.',
      fra: 'Il n’existe pas de produit {0} dans cette société. Cherchez son identifiant dans la liste des produits.',
      spa: 'No existe el producto {0} en esta empresa. Busque su identificador en la lista de productos.',
      pol: 'W tej firmie nie ma produktu {0}. Znajdź jego identyfikator na liście produktów.',
    },
  },
  applicationNotFound: {
    errorMessageId: 100304,
    status: 404,
    namespace: 'resource',
    parameters: ['applicationId'],
    technicalDescription:
      'No version of an application with this identifier is known in this company. Take identifiers from the list of applications, and check the company in $db.',
    texts: {
      eng: 'There is no application {0} in this company. Look up its identifier in the list of applications.',
      nob: 'Det finnes ingen applikasjon {0} i dette firmaet. Finn identifikatoren i listen over applikasjoner.',
      swe: 'Det finns ingen applikation {0} i det här företaget. Sök upp identifieraren i listan över applikationer.',
      dan: 'Der findes ingen applikation {0} i denne virksomhed. Find identifikatoren i listen over applikationer.',
      deu: 'In diesem Unternehmen gibt es keine Anwendung {0}. Suchen Sie die Kennung in der Liste der Anwendungen.',
      fra: 'Il n’existe pas d’application {0} dans cette société. Cherchez son identifiant dans la liste des applications.',
      spa: 'No existe la aplicación {0} en esta empresa. Busque su identificador en la lista de aplicaciones.',
      pol: 'W tej firmie nie ma aplikacji {0}. Znajdź jej identyfikator na liście aplikacji.',
    },
  },
  userNotFound: {
    errorMessageId: 100305,
    status: 404,
    namespace: 'resource',
    parameters: ['userId'],
    technicalDescription:
      'No application version of this company names a person with this identifier as its creator or as who changed it. Follow a UserLink, and check the company in $db.',
    texts: {
      eng: 'No application version of this company names a user {0}. Follow the link of an application version.',
      nob: 'Ingen applikasjonsversjon i dette firmaet nevner bruker {0}. Følg lenken i en applikasjonsversjon.',
      swe: 'Ingen applikationsversion i det här företaget nämner användare {0}. Följ länken i en applikationsversion.',
      dan: 'Ingen applikationsversion i denne virksomhed nævner bruger {0}. Følg linket i en applikationsversion.',
      deu: 'Keine Anwendungsversion dieses Unternehmens nennt den Benutzer {0}. Folgen Sie dem Link einer Anwendungsversion.',
      fra: 'Aucune version d’application de cette société ne nomme l’utilisateur {0}. Suivez le lien d’une version d’application.',
      spa: 'Ninguna versión de aplicación de esta empresa nombra al usuario {0}. Siga el enlace de una versión de aplicación.',
      pol: 'Żadna wersja aplikacji tej firmy nie wymienia użytkownika {0}. Skorzystaj z odsyłacza w wersji aplikacji.',
    },
  },
  companyNotFound: {
    errorMessageId: 100306,
    status: 404,
    namespace: 'resource',
    parameters: ['companyId'],
    technicalDescription:
      'No application version of the company in $db is restricted to a company with this identifier. Follow a CompanyLink.',
    texts: {
      eng: 'No application version is restricted to a company {0}. Follow the link of an application version.',
      nob: 'Ingen applikasjonsversjon er begrenset til et firma {0}. Følg lenken i en applikasjonsversjon.',
      swe: 'Ingen applikationsversion är begränsad till ett företag {0}. Följ länken i en applikationsversion.',
      dan: 'Ingen applikationsversion er begrænset til en virksomhed {0}. Følg linket i en applikationsversion.',
      deu: 'Keine Anwendungsversion ist auf ein Unternehmen {0} beschränkt. Folgen Sie dem Link einer Anwendungsversion.',
      fra: 'Aucune version d’application n’est réservée à une société {0}. Suivez le lien d’une version d’application.',
      spa: 'Ninguna versión de aplicación está limitada a una empresa {0}. Siga el enlace de una versión de aplicación.',
      pol: 'Żadna wersja aplikacji nie jest ograniczona do firmy {0}. Skorzystaj z odsyłacza w wersji aplikacji.',
    },
  },
  permissionNotFound: {
    errorMessageId: 101015,
    status: 404,
    namespace: 'resource',
    parameters: [],
    technicalDescription:
      'There is no such application version in this company, or none at all; which of the two is not told. Or none of its application versions needs a permission with this identifier. Check the identifiers in the path, and the company in $db.',
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
