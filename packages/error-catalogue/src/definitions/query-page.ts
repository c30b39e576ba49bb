import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about which page, and which version of a resource, is asked for. */
export const queryPageErrors = {
  skipWithPageKey: {
    errorMessageId: 100213,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      '$skip counts from the start of the list and $pageKey continues from a row, so they exclude each other. Follow the page links as they are, or leave out $pageKey.',
    texts: {
      eng: '$skip cannot be combined with $pageKey, which already says where the page starts. Leave out one of them.',
      nob: '$skip kan ikke kombineres med $pageKey, som allerede sier hvor siden begynner. Utelat en av dem.',
      swe: '$skip kan inte kombineras med $pageKey, som redan anger var sidan börjar. Utelämna en av dem.',
      dan: '$skip kan ikke kombineres med $pageKey, som allerede siger, hvor siden begynder. Udelad en af dem.',
      deu: '$skip lässt sich nicht mit $pageKey kombinieren, der bereits festlegt, wo die Seite beginnt. Lassen Sie einen der beiden weg.',
      fra: '$skip ne peut pas être combiné avec $pageKey, qui indique déjà où commence la page. Retirez l’un des deux.',
      spa: '$skip no se puede combinar con $pageKey, que ya indica dónde empieza la página. Quite uno de los dos.',
      pol: 'Nie można łączyć $skip z $pageKey, który już określa początek strony. Pomiń jeden z nich.',
    },
  },
  invalidPageKey: {
    errorMessageId: 100218,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The value of $pageKey is not one that the service gave out, or only a part of one. Keys are opaque: take them unchanged from the paging of a response.',
    texts: {
      eng: '$pageKey is damaged or incomplete. Take it unchanged from the paging of a response, or start again without it.',
      nob: '$pageKey er skadet eller ufullstendig. Hent den uendret fra sideinformasjonen i et svar, eller begynn på nytt uten den.',
      swe: '$pageKey är skadad eller ofullständig. Hämta den oförändrad från sidinformationen i ett svar eller börja om utan den.',
      dan: '$pageKey er beskadiget eller ufuldstændig. Tag den uændret fra sideoplysningerne i et svar, eller begynd forfra uden den.',
      deu: '$pageKey ist beschädigt oder unvollständig. Übernehmen Sie ihn unverändert aus den Seitenangaben einer Antwort oder beginnen Sie ohne ihn von vorn.',
      fra: '$pageKey est endommagé ou incomplet. Reprenez-le tel quel dans la pagination d’une réponse, ou recommencez sans lui.',
      spa: '$pageKey está dañado o incompleto. Tómelo sin cambios de la paginación de una respuesta o empiece de nuevo sin él.',
      pol: '$pageKey jest uszkodzony lub niekompletny. Przejmij go bez zmian ze stronicowania odpowiedzi albo zacznij od nowa bez niego.',
    },
  },
  pageKeyOfOtherQuery: {
    errorMessageId: 100219,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The page key was given out for another resource, company, $filter, $orderby or search. A key continues only the query it came from; after a change of any of these, start at the first page.',
    texts: {
      eng: '$pageKey belongs to another query. Keep the resource, company, $filter, $orderby and search it came from, or start again without it.',
      nob: '$pageKey hører til en annen spørring. Behold ressursen, firmaet, $filter, $orderby og search den kom fra, eller begynn på nytt uten den.',
      swe: '$pageKey hör till en annan fråga. Behåll resursen, företaget, $filter, $orderby och search som den kom från, eller börja om utan den.',
      dan: '$pageKey hører til en anden forespørgsel. Behold den ressource, virksomhed, $filter, $orderby og search, den kom fra, eller begynd forfra uden den.',
      deu: '$pageKey gehört zu einer anderen Abfrage. Behalten Sie Ressource, Unternehmen, $filter, $orderby und search bei, aus denen er stammt, oder beginnen Sie ohne ihn von vorn.',
      fra: '$pageKey appartient à une autre requête. Conservez la ressource, la société, $filter, $orderby et search dont il provient, ou recommencez sans lui.',
      spa: '$pageKey pertenece a otra consulta. Mantenga el recurso, la empresa, $filter, $orderby y search de los que procede, o empiece de nuevo sin él.',
      pol: '$pageKey należy do innego zapytania. Zachowaj zasób, firmę, $filter, $orderby i search, z których pochodzi, albo zacznij od nowa bez niego.',
    },
  },
  unsupportedVersion: {
    errorMessageId: 100220,
    status: 400,
    namespace: 'query',
    parameters: ['requested', 'newest'],
    technicalDescription:
      '$useMinimumVersion is above the newest version of the resource. The Resource-Version header of a response tells which version answered. Ask for a lower one, or leave the parameter out.',
    texts: {
      eng: '$useMinimumVersion asks for version {0}, but the newest is {1}. Ask for that version or an older one.',
      nob: '$useMinimumVersion ber om versjon {0}, men den nyeste er {1}. Be om den eller en eldre versjon.',
      swe: '$useMinimumVersion begär version {0}, men den nyaste är {1}. Begär den eller en äldre version.',
      dan: '$useMinimumVersion beder om version {0}, men den nyeste er {1}. Bed om den eller en ældre version.',
      deu: '$useMinimumVersion verlangt Version {0}, die neueste ist jedoch {1}. Verlangen Sie diese oder eine ältere Version.',
      fra: '$useMinimumVersion demande la version {0}, mais la plus récente est {1}. Demandez celle-ci ou une version antérieure.',
      spa: '$useMinimumVersion pide la versión {0}, pero la más reciente es {1}. Pida esa versión u otra anterior.',
      pol: '$useMinimumVersion wymaga wersji {0}, ale najnowsza to {1}. Poproś o tę lub starszą wersję.',
    },
  },
  queryTooSlow: {
    errorMessageId: 100222,
    status: 500,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The database could not find the rows that $filter, $orderby or search ask for within its time. The same request will fail again: narrow it to fewer rows, above all by an identifier or by comparing one field with a value, or order by one field.',
    texts: {
      eng: 'This filter, order or search takes too long. Narrow $filter, for example by an identifier, or order by a single field.',
      nob: 'Dette filteret, denne sorteringen eller dette søket tar for lang tid. Snevre inn $filter, for eksempel med en identifikator, eller sorter etter ett enkelt felt.',
      swe: 'Detta filter, denna sortering eller denna sökning tar för lång tid. Begränsa $filter, till exempel med en identifierare, eller sortera efter ett enda fält.',
      dan: 'Dette filter, denne sortering eller denne søgning tager for lang tid. Indsnævr $filter, for eksempel med en identifikator, eller sortér efter et enkelt felt.',
      deu: 'Dieser Filter, diese Sortierung oder diese Suche dauert zu lange. Grenzen Sie $filter ein, zum Beispiel durch eine Kennung, oder sortieren Sie nach einem einzigen Feld.',
      fra: 'Ce filtre, ce tri ou cette recherche prend trop de temps. Restreignez $filter, par exemple par un identifiant, ou triez selon un seul champ.',
      spa: 'Este filtro, este orden o esta búsqueda tarda demasiado. Restrinja $filter, por ejemplo con un identificador, u ordene por un solo campo.',
      pol: 'Ten filtr, sortowanie lub wyszukiwanie trwa zbyt długo. Zawęź $filter, na przykład identyfikatorem, albo sortuj według jednego pola.',
    },
  },
} as const satisfies ErrorDefinitions<'query'>;
