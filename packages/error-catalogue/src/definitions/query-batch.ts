import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about several requests in one. */
export const queryBatchErrors = {
  emptyBatch: {
    errorMessageId: 100245,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'A batch names no address. Each is the value of a parameter called resource with a number behind it, percent-encoded as a whole: /batch?resource0=%2Fproduct%2Fproducts%3F%24top%3D5.',
    texts: {
      eng: 'The batch names no address. Give at least one, as resource0=, percent-encoded.',
      nob: 'Bunken inneholder ingen adresse. Oppgi minst én, som resource0=, prosentkodet.',
      swe: 'Batchen innehåller ingen adress. Ange minst en, som resource0=, procentkodad.',
      dan: 'Batchen indeholder ingen adresse. Angiv mindst én, som resource0=, procentkodet.',
      deu: 'Der Stapel nennt keine Adresse. Geben Sie mindestens eine an, als resource0=, prozentkodiert.',
      fra: 'Le lot n’indique aucune adresse. Indiquez-en au moins une, sous la forme resource0=, avec l’encodage pourcent.',
      spa: 'El lote no indica ninguna dirección. Indique al menos una, como resource0=, con codificación por ciento.',
      pol: 'Pakiet nie zawiera żadnego adresu. Podaj co najmniej jeden jako resource0=, w kodowaniu procentowym.',
    },
  },
  tooManyInBatch: {
    errorMessageId: 100246,
    status: 400,
    namespace: 'query',
    parameters: ['count', 'limit'],
    technicalDescription:
      'A batch names more addresses than the limit. Nothing was asked; spread them over several batches.',
    texts: {
      eng: 'The batch names {0} addresses, and at most {1} are allowed. Spread them over several batches.',
      nob: 'Bunken inneholder {0} adresser, og høyst {1} er tillatt. Fordel dem på flere bunker.',
      swe: 'Batchen innehåller {0} adresser, och högst {1} är tillåtna. Fördela dem på flera batchar.',
      dan: 'Batchen indeholder {0} adresser, og højst {1} er tilladt. Fordel dem på flere batcher.',
      deu: 'Der Stapel nennt {0} Adressen, erlaubt sind höchstens {1}. Verteilen Sie sie auf mehrere Stapel.',
      fra: 'Le lot indique {0} adresses, et {1} au plus sont permises. Répartissez-les sur plusieurs lots.',
      spa: 'El lote indica {0} direcciones y se permiten como máximo {1}. Repártalas en varios lotes.',
      pol: 'Liczba adresów w pakiecie: {0}, dozwolone najwyżej: {1}. Rozdziel je na kilka pakietów.',
    },
  },
  parameterBesideBatch: {
    errorMessageId: 100247,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'known'],
    technicalDescription:
      'A parameter that belongs into one of the addresses stands beside them, mostly because an & inside of an address was not percent-encoded. Encode each address as a whole, its & as %26.',
    texts: {
      eng: 'The parameter “{0}” belongs into an address of the batch: write the & before it as %26. Beside the addresses are taken: {1}.',
      nob: 'Parameteren «{0}» hører hjemme i en adresse i bunken: skriv &-tegnet foran den som %26. Ved siden av adressene godtas: {1}.',
      swe: 'Parametern ”{0}” hör hemma i en adress i batchen: skriv &-tecknet före den som %26. Vid sidan av adresserna godtas: {1}.',
      dan: 'Parameteren »{0}« hører til i en adresse i batchen: Skriv &-tegnet foran den som %26. Ved siden af adresserne accepteres: {1}.',
      deu: 'Der Parameter „{0}“ gehört in eine Adresse des Stapels: Schreiben Sie das & davor als %26. Neben den Adressen gibt es: {1}.',
      fra: 'Le paramètre «\u00a0{0}\u00a0» doit figurer dans une adresse du lot\u00a0: écrivez le & qui le précède comme %26. À côté des adresses sont acceptés\u00a0: {1}.',
      spa: 'El parámetro «{0}» pertenece a una dirección del lote: escriba el & que lo precede como %26. Junto a las direcciones se aceptan: {1}.',
      pol: 'Parametr „{0}” należy do adresu w pakiecie: zapisz poprzedzający go znak & jako %26. Obok adresów dozwolone są: {1}.',
    },
  },
  batchInBatch: {
    errorMessageId: 100248,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription: 'An address of a batch is that of a batch. Name its addresses in the outer one.',
    texts: {
      eng: 'A batch cannot hold another one. Name the addresses of the inner batch in the outer one.',
      nob: 'En bunke kan ikke inneholde en annen. Oppgi adressene i den indre bunken i den ytre.',
      swe: 'En batch kan inte innehålla en annan. Ange den inre batchens adresser i den yttre.',
      dan: 'En batch kan ikke indeholde en anden. Angiv den indre batchs adresser i den ydre.',
      deu: 'Ein Stapel kann keinen anderen enthalten. Nennen Sie die Adressen des inneren im äußeren.',
      fra: 'Un lot ne peut pas en contenir un autre. Indiquez les adresses du lot intérieur dans le lot extérieur.',
      spa: 'Un lote no puede contener otro. Indique las direcciones del lote interior en el exterior.',
      pol: 'Pakiet nie może zawierać innego pakietu. Podaj adresy wewnętrznego pakietu w zewnętrznym.',
    },
  },
  tokenInBatch: {
    errorMessageId: 100249,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'An address of a batch has an access token of its own. It was not looked at: all addresses are asked with the token of the batch, and an answer for another identity than the one named would be wrong. Take it out of the address.',
    texts: {
      eng: 'An address in a batch takes no $access_token of its own. Give it with the batch, and leave it out of the address.',
      nob: 'En adresse i en bunke kan ikke ha sitt eget $access_token. Oppgi det sammen med bunken, og utelat det i adressen.',
      swe: 'En adress i en batch kan inte ha en egen $access_token. Ange den tillsammans med batchen och utelämna den i adressen.',
      dan: 'En adresse i en batch kan ikke have sit eget $access_token. Angiv det sammen med batchen, og udelad det i adressen.',
      deu: 'Eine Adresse in einem Stapel kann kein eigenes $access_token haben. Geben Sie es mit dem Stapel an und lassen Sie es in der Adresse weg.',
      fra: 'Une adresse d’un lot ne peut pas avoir son propre $access_token. Donnez-le avec le lot et retirez-le de l’adresse.',
      spa: 'Una dirección de un lote no puede tener su propio $access_token. Indíquelo con el lote y quítelo de la dirección.',
      pol: 'Adres w pakiecie nie może mieć własnego $access_token. Podaj go razem z pakietem i usuń z adresu.',
    },
  },
  batchTooLarge: {
    errorMessageId: 100250,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      'The answers of a batch have more bytes together than the limit. Ask for fewer at a time, or for less of each with $select or $top.',
    texts: {
      eng: 'The answers of the batch are larger than {0} bytes together. Ask for fewer at a time, or for less of each with $select or $top.',
      nob: 'Svarene i bunken er til sammen større enn {0} byte. Be om færre om gangen, eller om mindre av hvert med $select eller $top.',
      swe: 'Svaren i batchen är tillsammans större än {0} byte. Begär färre åt gången, eller mindre av varje med $select eller $top.',
      dan: 'Svarene i batchen er tilsammen større end {0} byte. Bed om færre ad gangen, eller om mindre af hvert med $select eller $top.',
      deu: 'Die Antworten des Stapels sind zusammen größer als {0} Bytes. Fragen Sie nach weniger auf einmal oder mit $select oder $top nach weniger von jeder.',
      fra: 'Les réponses du lot dépassent ensemble {0} octets. Demandez-en moins à la fois, ou moins de chacune avec $select ou $top.',
      spa: 'Las respuestas del lote superan juntas los {0} bytes. Pida menos a la vez, o menos de cada una con $select o $top.',
      pol: 'Odpowiedzi pakietu są razem większe niż {0} bajtów. Poproś o mniej naraz albo o mniej z każdej za pomocą $select lub $top.',
    },
  },
} as const satisfies ErrorDefinitions<'query'>;
