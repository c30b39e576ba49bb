import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about a list as a file. */
export const queryExportErrors = {
  exportOfOneObject: {
    errorMessageId: 100223,
    status: 400,
    namespace: 'query',
    parameters: ['format'],
    technicalDescription:
      'A format of whole lists was asked for of a resource that is a single object. Ask for the list, or for the object in a format of documents.',
    texts: {
      eng: '$format={0} works on lists only, and this resource is a single object. Use another $format.',
      nob: '$format={0} gjelder bare lister, og denne ressursen er ett enkelt objekt. Bruk et annet $format.',
      swe: '$format={0} gäller bara listor, och den här resursen är ett enstaka objekt. Använd ett annat $format.',
      dan: '$format={0} gælder kun lister, og denne ressource er et enkelt objekt. Brug et andet $format.',
      deu: '$format={0} gilt nur für Listen, und diese Ressource ist ein einzelnes Objekt. Verwenden Sie ein anderes $format.',
      fra: '$format={0} ne s’applique qu’aux listes, et cette ressource est un objet unique. Utilisez un autre $format.',
      spa: '$format={0} solo se aplica a listas, y este recurso es un único objeto. Use otro $format.',
      pol: '$format={0} dotyczy tylko list, a ten zasób jest pojedynczym obiektem. Użyj innego $format.',
    },
  },
  parameterOfPages: {
    errorMessageId: 100224,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'format'],
    technicalDescription:
      'The format gives the whole list, and the parameter is about a page of it. Leave it out; narrow $filter where fewer rows are wanted.',
    texts: {
      eng: '$format={1} gives the whole list, so “{0}” means nothing there. Leave it out, or narrow $filter to get fewer rows.',
      nob: '$format={1} gir hele listen, så «{0}» har ingen betydning der. Utelat den, eller avgrens $filter for å få færre rader.',
      swe: '$format={1} ger hela listan, så ”{0}” saknar betydelse där. Utelämna den eller begränsa $filter för att få färre rader.',
      dan: '$format={1} giver hele listen, så »{0}« har ingen betydning dér. Udelad den, eller indsnævr $filter for at få færre rækker.',
      deu: '$format={1} liefert die ganze Liste, „{0}“ hat dort keine Bedeutung. Lassen Sie es weg oder grenzen Sie $filter ein, um weniger Zeilen zu erhalten.',
      fra: '$format={1} donne la liste entière, «\u00a0{0}\u00a0» n’y a donc pas de sens. Retirez-le, ou restreignez $filter pour obtenir moins de lignes.',
      spa: '$format={1} da la lista completa, así que «{0}» no tiene sentido ahí. Quítelo, o restrinja $filter para obtener menos filas.',
      pol: '$format={1} podaje całą listę, więc „{0}” nie ma tam znaczenia. Pomiń go albo zawęź $filter, aby otrzymać mniej wierszy.',
    },
  },
  decimalWithoutCsv: {
    errorMessageId: 100225,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      '$decimal says how numbers are written in CSV; every other format has one way to write them. Leave it out, or ask for $format=csv.',
    texts: {
      eng: '$decimal works with $format=csv only. Leave it out, or ask for $format=csv.',
      nob: '$decimal gjelder bare sammen med $format=csv. Utelat den, eller be om $format=csv.',
      swe: '$decimal gäller bara tillsammans med $format=csv. Utelämna den eller begär $format=csv.',
      dan: '$decimal gælder kun sammen med $format=csv. Udelad den, eller bed om $format=csv.',
      deu: '$decimal gilt nur zusammen mit $format=csv. Lassen Sie es weg oder verlangen Sie $format=csv.',
      fra: '$decimal ne s’applique qu’avec $format=csv. Retirez-le, ou demandez $format=csv.',
      spa: '$decimal solo se aplica con $format=csv. Quítelo o pida $format=csv.',
      pol: '$decimal działa tylko razem z $format=csv. Pomiń go albo wybierz $format=csv.',
    },
  },
  tooManyRowsForSheet: {
    errorMessageId: 100226,
    status: 400,
    namespace: 'query',
    parameters: ['rows', 'limit'],
    technicalDescription:
      'A sheet of a workbook holds no more rows than the limit, below its header. Narrow $filter, or take the list as CSV, which has no limit.',
    texts: {
      eng: 'The list has {0} rows, and a sheet holds {1}. Narrow $filter, or use $format=csv.',
      nob: 'Listen har {0} rader, og et regneark rommer {1}. Avgrens $filter, eller bruk $format=csv.',
      swe: 'Listan har {0} rader, och ett kalkylblad rymmer {1}. Begränsa $filter eller använd $format=csv.',
      dan: 'Listen har {0} rækker, og et regneark rummer {1}. Indsnævr $filter, eller brug $format=csv.',
      deu: 'Die Liste hat {0} Zeilen, ein Tabellenblatt fasst {1}. Grenzen Sie $filter ein oder verwenden Sie $format=csv.',
      fra: 'La liste compte {0} lignes, et une feuille en contient {1} au plus. Restreignez $filter, ou utilisez $format=csv.',
      spa: 'La lista tiene {0} filas y una hoja admite {1}. Restrinja $filter o use $format=csv.',
      pol: 'Liczba wierszy listy: {0}, arkusz mieści: {1}. Zawęź $filter albo użyj $format=csv.',
    },
  },
} as const satisfies ErrorDefinitions<'query'>;
