import type { Translations } from '@takt/error-catalogue';

/** Headings of what people look structure versions up by, by name. */
export const headings = {
  ProductStructureVersions: {
    eng: 'Structure versions',
    nob: 'Strukturversjoner',
    swe: 'Strukturversioner',
    dan: 'Strukturversioner',
    deu: 'Strukturversionen',
    fra: 'Versions de structure',
    spa: 'Versiones de estructura',
    pol: 'Wersje struktury',
  },
  ProductStructureVersionsSummary: {
    eng: 'The versions of the structures of products, with their product and planned times.',
    nob: 'Versjonene av produktenes strukturer, med produkt og planlagte tider.',
    swe: 'Versionerna av produkternas strukturer, med produkt och planerade tider.',
    dan: 'Versionerne af produkternes strukturer, med produkt og planlagte tider.',
    deu: 'Die Versionen der Strukturen von Produkten, mit Produkt und geplanten Zeiten.',
    fra: 'Les versions des structures des produits, avec leur produit et les temps prévus.',
    spa: 'Las versiones de las estructuras de los productos, con su producto y los tiempos previstos.',
    pol: 'Wersje struktur produktów z produktem i planowanymi czasami.',
  },
  ProductStructureVersionSummary: {
    eng: 'One version of the structure of a product, with its product and planned times.',
    nob: 'Én versjon av strukturen til et produkt, med produkt og planlagte tider.',
    swe: 'En version av strukturen hos en produkt, med produkt och planerade tider.',
    dan: 'Én version af et produkts struktur, med produkt og planlagte tider.',
    deu: 'Eine Version der Struktur eines Produkts, mit Produkt und geplanten Zeiten.',
    fra: 'Une version de la structure d’un produit, avec son produit et les temps prévus.',
    spa: 'Una versión de la estructura de un producto, con su producto y los tiempos previstos.',
    pol: 'Jedna wersja struktury produktu z produktem i planowanymi czasami.',
  },
  AggregatedProductionTimesLink: {
    eng: 'Link to the production times',
    nob: 'Lenke til produksjonstidene',
    swe: 'Länk till produktionstiderna',
    dan: 'Link til produktionstiderne',
    deu: 'Link zu den Produktionszeiten',
    fra: 'Lien vers les temps de production',
    spa: 'Enlace a los tiempos de producción',
    pol: 'Odsyłacz do czasów produkcji',
  },
} satisfies Readonly<Record<string, Translations>>;
