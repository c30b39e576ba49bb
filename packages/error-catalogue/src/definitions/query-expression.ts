import type { ErrorDefinitions } from '../error-definition.js';

/** Errors inside $filter, $orderby, $select, $expand and search. A position counts decoded characters from 1. */
export const queryExpressionErrors = {
  syntaxError: {
    errorMessageId: 100209,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'expected'],
    technicalDescription:
      'The value of $filter, $orderby, $select or $expand does not follow its grammar. The error tells the position (decoded characters, from 1), what stands there and what may stand there.',
    texts: {
      eng: '{0} cannot be understood at position {1}: found “{2}”. Write what is expected there: {3}.',
      nob: '{0} kan ikke tolkes ved posisjon {1}: fant «{2}». Skriv det som forventes der: {3}.',
      swe: '{0} kan inte tolkas vid position {1}: hittade ”{2}”. Skriv det som förväntas där: {3}.',
      dan: '{0} kan ikke fortolkes ved position {1}: fandt »{2}«. Skriv det, der forventes dér: {3}.',
      deu: '{0} ist an Position {1} nicht verständlich: gefunden „{2}“. Schreiben Sie, was dort erwartet wird: {3}.',
      fra: '{0} est incompréhensible à la position {1}\u00a0: trouvé «\u00a0{2}\u00a0». Écrivez ce qui est attendu à cet endroit\u00a0: {3}.',
      spa: '{0} no se entiende en la posición {1}: se encontró «{2}». Escriba lo que se espera ahí: {3}.',
      pol: 'Nie można zrozumieć {0} na pozycji {1}: znaleziono „{2}”. Wpisz to, co jest tam oczekiwane: {3}.',
    },
  },
  expressionTooLarge: {
    errorMessageId: 100210,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'measure', 'limit'],
    technicalDescription:
      'An expression exceeds a limit: levels of nesting, comparisons, values of one list, arithmetic operations of one operand, digits of what they give, or the words of a search. Shorten what the error names, or split the query over several requests.',
    texts: {
      eng: '{0} is too large: it may have at most {2} {1}. Shorten that, or split it over several requests.',
      nob: '{0} er for omfattende: høyst {2} {1} er tillatt. Kort ned dette, eller del opp i flere forespørsler.',
      swe: '{0} är för omfattande: högst {2} {1} är tillåtna. Korta ned detta eller dela upp på flera begäranden.',
      dan: '{0} er for omfattende: højst {2} {1} er tilladt. Forkort dette, eller del op i flere forespørgsler.',
      deu: '{0} ist zu umfangreich: Erlaubt sind höchstens {2} {1}. Kürzen Sie dies oder verteilen Sie die Abfrage auf mehrere Anfragen.',
      fra: '{0} est trop volumineux\u00a0: {2} {1} au maximum. Raccourcissez cette partie ou répartissez la requête sur plusieurs appels.',
      spa: '{0} es demasiado extenso: se permiten como máximo {2} {1}. Acorte esa parte o reparta la consulta en varias peticiones.',
      pol: 'Parametr {0} jest zbyt rozbudowany: dozwolone jest najwyżej {2} {1}. Skróć tę część albo podziel zapytanie na kilka żądań.',
    },
  },
  unknownFunction: {
    errorMessageId: 100211,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'known'],
    technicalDescription:
      'A filter calls a function that does not exist. Function names may be written in any case; the error lists those that exist.',
    texts: {
      eng: '{0} calls the unknown function “{2}” at position {1}. Use one of these: {3}.',
      nob: '{0} kaller den ukjente funksjonen «{2}» ved posisjon {1}. Bruk en av disse: {3}.',
      swe: '{0} anropar den okända funktionen ”{2}” vid position {1}. Använd någon av dessa: {3}.',
      dan: '{0} kalder den ukendte funktion »{2}« ved position {1}. Brug en af disse: {3}.',
      deu: '{0} ruft an Position {1} die unbekannte Funktion „{2}“ auf. Verwenden Sie eine von diesen: {3}.',
      fra: '{0} appelle la fonction inconnue «\u00a0{2}\u00a0» à la position {1}. Utilisez l’une de celles-ci\u00a0: {3}.',
      spa: '{0} llama a la función desconocida «{2}» en la posición {1}. Use una de estas: {3}.',
      pol: '{0} wywołuje nieznaną funkcję „{2}” na pozycji {1}. Użyj jednej z następujących: {3}.',
    },
  },
  tooManyOrderFields: {
    errorMessageId: 100212,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      '$orderby names more fields than the limit. Order by fewer; rows that are equal in all of them are ordered by their identifier.',
    texts: {
      eng: '$orderby names more than {0} fields. Order by fewer fields.',
      nob: '$orderby nevner flere enn {0} felt. Sorter etter færre felt.',
      swe: '$orderby anger fler än {0} fält. Sortera efter färre fält.',
      dan: '$orderby nævner flere end {0} felter. Sortér efter færre felter.',
      deu: '$orderby nennt mehr als {0} Felder. Sortieren Sie nach weniger Feldern.',
      fra: '$orderby cite plus de {0} champs. Triez selon moins de champs.',
      spa: '$orderby nombra más de {0} campos. Ordene por menos campos.',
      pol: '$orderby przekracza limit pól ({0}). Sortuj według mniejszej liczby pól.',
    },
  },
  unknownField: {
    errorMessageId: 100214,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'known'],
    technicalDescription:
      'An expression names a field that the resource does not have, or that the client may not see. The error lists the fields that can be named there.',
    texts: {
      eng: '{0} names the unknown field “{2}” at position {1}. Use one of these: {3}.',
      nob: '{0} nevner det ukjente feltet «{2}» ved posisjon {1}. Bruk et av disse: {3}.',
      swe: '{0} anger det okända fältet ”{2}” vid position {1}. Använd något av dessa: {3}.',
      dan: '{0} nævner det ukendte felt »{2}« ved position {1}. Brug et af disse: {3}.',
      deu: '{0} nennt an Position {1} das unbekannte Feld „{2}“. Verwenden Sie eines von diesen: {3}.',
      fra: '{0} cite le champ inconnu «\u00a0{2}\u00a0» à la position {1}. Utilisez l’un de ceux-ci\u00a0: {3}.',
      spa: '{0} nombra el campo desconocido «{2}» en la posición {1}. Use uno de estos: {3}.',
      pol: '{0} odwołuje się do nieznanego pola „{2}” na pozycji {1}. Użyj jednego z następujących: {3}.',
    },
  },
  ambiguousField: {
    errorMessageId: 100215,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'candidates'],
    technicalDescription:
      'A dotted field name is the end of several fields of the resource. Write more of the path, so that only one field is meant.',
    texts: {
      eng: '{0} names “{2}” at position {1}, which can mean several fields. Write one of these in full: {3}.',
      nob: '{0} nevner «{2}» ved posisjon {1}, som kan bety flere felt. Skriv ett av disse fullt ut: {3}.',
      swe: '{0} anger ”{2}” vid position {1}, som kan avse flera fält. Skriv ut ett av dessa helt: {3}.',
      dan: '{0} nævner »{2}« ved position {1}, som kan betyde flere felter. Skriv ét af disse helt ud: {3}.',
      deu: '{0} nennt an Position {1} „{2}“, was mehrere Felder bedeuten kann. Schreiben Sie eines von diesen aus: {3}.',
      fra: '{0} cite «\u00a0{2}\u00a0» à la position {1}, qui peut désigner plusieurs champs. Écrivez l’un de ceux-ci en entier\u00a0: {3}.',
      spa: '{0} nombra «{2}» en la posición {1}, que puede referirse a varios campos. Escriba uno de estos completo: {3}.',
      pol: '{0} podaje „{2}” na pozycji {1}, co może oznaczać kilka pól. Zapisz w całości jedno z następujących: {3}.',
    },
  },
  repeatedField: {
    errorMessageId: 100216,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found'],
    technicalDescription:
      'An expression names the same field more than once. Leave out all but the first mention.',
    texts: {
      eng: '{0} names the field “{2}” once more at position {1}. Name it only once.',
      nob: '{0} nevner feltet «{2}» én gang til ved posisjon {1}. Nevn det bare én gang.',
      swe: '{0} anger fältet ”{2}” en gång till vid position {1}. Ange det bara en gång.',
      dan: '{0} nævner feltet »{2}« én gang til ved position {1}. Nævn det kun én gang.',
      deu: '{0} nennt das Feld „{2}“ an Position {1} noch einmal. Nennen Sie es nur einmal.',
      fra: '{0} cite de nouveau le champ «\u00a0{2}\u00a0» à la position {1}. Citez-le une seule fois.',
      spa: '{0} vuelve a nombrar el campo «{2}» en la posición {1}. Nómbrelo una sola vez.',
      pol: '{0} ponownie podaje pole „{2}” na pozycji {1}. Podaj je tylko raz.',
    },
  },
  wrongType: {
    errorMessageId: 100217,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'expected'],
    technicalDescription:
      'An expression compares a field with a value of another type, or passes such a value to a function. Text stands between single quotes; numbers, true, false and null stand without.',
    texts: {
      eng: '{0} holds a value of the wrong type at position {1}: found “{2}”. Use the type expected there: {3}.',
      nob: '{0} inneholder en verdi av feil type ved posisjon {1}: fant «{2}». Bruk typen som forventes der: {3}.',
      swe: '{0} innehåller ett värde av fel typ vid position {1}: hittade ”{2}”. Använd den typ som förväntas där: {3}.',
      dan: '{0} indeholder en værdi af forkert type ved position {1}: fandt »{2}«. Brug den type, der forventes dér: {3}.',
      deu: '{0} enthält an Position {1} einen Wert vom falschen Typ: gefunden „{2}“. Verwenden Sie den dort erwarteten Typ: {3}.',
      fra: '{0} contient une valeur d’un type incorrect à la position {1}\u00a0: trouvé «\u00a0{2}\u00a0». Utilisez le type attendu à cet endroit\u00a0: {3}.',
      spa: '{0} contiene un valor de tipo incorrecto en la posición {1}: se encontró «{2}». Use el tipo que se espera ahí: {3}.',
      pol: '{0} zawiera wartość niewłaściwego typu na pozycji {1}: znaleziono „{2}”. Użyj oczekiwanego tam typu: {3}.',
    },
  },
} as const satisfies ErrorDefinitions<'query'>;
