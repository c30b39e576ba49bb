-- What the values of status, type and scope fields mean, with translations keyed by three-letter language.
CREATE TABLE takt.domain_values (
  object text NOT NULL,
  field text NOT NULL,
  key text NOT NULL,
  description text NOT NULL,
  translations jsonb NOT NULL DEFAULT '{}',
  priority integer NOT NULL,
  PRIMARY KEY (object, field, key)
);
COMMENT ON COLUMN takt.domain_values.priority IS 'order of the values in a list, from 1';

GRANT SELECT ON takt.domain_values TO takt_api;

INSERT INTO takt.domain_values (object, field, key, description, translations, priority) VALUES
  ('Product', 'Status', '2', 'new', '{"nob":"ny","swe":"ny","dan":"ny","deu":"neu","fra":"nouveau","spa":"nuevo","pol":"nowy"}', 1),
  ('Product', 'Status', '3', 'for approval', '{"nob":"til godkjenning","swe":"för godkännande","dan":"til godkendelse","deu":"zur Freigabe","fra":"à approuver","spa":"para aprobar","pol":"do zatwierdzenia"}', 2),
  ('Product', 'Status', '4', 'ordinary', '{"nob":"ordinær","swe":"ordinarie","dan":"ordinær","deu":"regulär","fra":"ordinaire","spa":"ordinario","pol":"zwykły"}', 3),
  ('Product', 'Status', '5', 'to be revised', '{"nob":"skal revideres","swe":"ska revideras","dan":"skal revideres","deu":"zu überarbeiten","fra":"à réviser","spa":"por revisar","pol":"do zmiany"}', 4),
  ('Product', 'Status', '6', 'on hold', '{"nob":"på vent","swe":"pausad","dan":"sat i bero","deu":"zurückgestellt","fra":"en attente","spa":"en espera","pol":"wstrzymany"}', 5),
  ('Product', 'Status', '7', 'end of life announced', '{"nob":"utfasing varslet","swe":"utfasning aviserad","dan":"udfasning varslet","deu":"Auslauf angekündigt","fra":"fin de vie annoncée","spa":"fin de vida anunciado","pol":"zapowiedziano wycofanie"}', 6),
  ('Product', 'Status', '9', 'obsolete', '{"nob":"utgått","swe":"utgången","dan":"udgået","deu":"veraltet","fra":"obsolète","spa":"obsoleto","pol":"wycofany"}', 7),
  ('Product', 'Type', 'K', 'product with structure', '{"nob":"produkt med struktur","swe":"produkt med struktur","dan":"produkt med struktur","deu":"Produkt mit Struktur","fra":"produit avec structure","spa":"producto con estructura","pol":"produkt ze strukturą"}', 1),
  ('Product', 'Type', 'KA', 'product with structure, assembled', '{"nob":"produkt med struktur, montert","swe":"produkt med struktur, monterad","dan":"produkt med struktur, samlet","deu":"Produkt mit Struktur, montiert","fra":"produit avec structure, assemblé","spa":"producto con estructura, ensamblado","pol":"produkt ze strukturą, montowany"}', 2),
  ('Product', 'Type', 'KS', 'product with structure, standard', '{"nob":"produkt med struktur, standard","swe":"produkt med struktur, standard","dan":"produkt med struktur, standard","deu":"Produkt mit Struktur, Standard","fra":"produit avec structure, standard","spa":"producto con estructura, estándar","pol":"produkt ze strukturą, standardowy"}', 3),
  ('Product', 'Type', 'KM', 'product with structure, module', '{"nob":"produkt med struktur, modul","swe":"produkt med struktur, modul","dan":"produkt med struktur, modul","deu":"Produkt mit Struktur, Modul","fra":"produit avec structure, module","spa":"producto con estructura, módulo","pol":"produkt ze strukturą, moduł"}', 4),
  ('Product', 'Type', 'P', 'ordinary part', '{"nob":"ordinær del","swe":"ordinarie del","dan":"ordinær del","deu":"gewöhnliches Teil","fra":"pièce ordinaire","spa":"pieza ordinaria","pol":"zwykła część"}', 5),
  ('ProductStructureVersion', 'Status', '1', 'draft', '{"nob":"utkast","swe":"utkast","dan":"kladde","deu":"Entwurf","fra":"brouillon","spa":"borrador","pol":"szkic"}', 1),
  ('ProductStructureVersion', 'Status', '4', 'active', '{"nob":"aktiv","swe":"aktiv","dan":"aktiv","deu":"aktiv","fra":"actif","spa":"activo","pol":"aktywny"}', 2),
  ('ProductStructureVersion', 'Status', '9', 'obsolete', '{"nob":"utgått","swe":"utgången","dan":"udgået","deu":"veraltet","fra":"obsolète","spa":"obsoleto","pol":"wycofany"}', 3),
  ('Application', 'Status', '1', 'new', '{"nob":"ny","swe":"ny","dan":"ny","deu":"neu","fra":"nouveau","spa":"nuevo","pol":"nowy"}', 1),
  ('Application', 'Status', '4', 'active', '{"nob":"aktiv","swe":"aktiv","dan":"aktiv","deu":"aktiv","fra":"actif","spa":"activo","pol":"aktywny"}', 2),
  ('Application', 'Status', '9', 'obsolete', '{"nob":"utgått","swe":"utgången","dan":"udgået","deu":"veraltet","fra":"obsolète","spa":"obsoleto","pol":"wycofany"}', 3),
  ('ErrorMessage', 'Status', '1', 'new', '{"nob":"ny","swe":"ny","dan":"ny","deu":"neu","fra":"nouveau","spa":"nuevo","pol":"nowy"}', 1),
  ('ErrorMessage', 'Status', '4', 'active', '{"nob":"aktiv","swe":"aktiv","dan":"aktiv","deu":"aktiv","fra":"actif","spa":"activo","pol":"aktywny"}', 2),
  ('ErrorMessage', 'Status', '9', 'obsolete', '{"nob":"utgått","swe":"utgången","dan":"udgået","deu":"veraltet","fra":"obsolète","spa":"obsoleto","pol":"wycofany"}', 3),
  ('Application', 'Scope', 'GLOBAL', 'available in all systems', '{"nob":"tilgjengelig i alle systemer","swe":"tillgänglig i alla system","dan":"tilgængelig i alle systemer","deu":"in allen Systemen verfügbar","fra":"disponible dans tous les systèmes","spa":"disponible en todos los sistemas","pol":"dostępny we wszystkich systemach"}', 1),
  ('Application', 'Scope', 'LOCAL', 'available in this system only', '{"nob":"bare tilgjengelig i dette systemet","swe":"endast tillgänglig i detta system","dan":"kun tilgængelig i dette system","deu":"nur in diesem System verfügbar","fra":"disponible dans ce système seulement","spa":"disponible solo en este sistema","pol":"dostępny tylko w tym systemie"}', 2),
  ('Application', 'Type', 'APPLICATION', 'application', '{"nob":"applikasjon","swe":"applikation","dan":"applikation","deu":"Anwendung","fra":"application","spa":"aplicación","pol":"aplikacja"}', 1),
  ('Application', 'Type', 'WIDGET', 'widget', '{"nob":"widget","swe":"widget","dan":"widget","deu":"Widget","fra":"widget","spa":"widget","pol":"widżet"}', 2),
  ('Application', 'Type', 'COMPONENT', 'component', '{"nob":"komponent","swe":"komponent","dan":"komponent","deu":"Komponente","fra":"composant","spa":"componente","pol":"komponent"}', 3),
  ('Application', 'ContentType', 'HTML5', 'HTML5 page', '{"nob":"HTML5-side","swe":"HTML5-sida","dan":"HTML5-side","deu":"HTML5-Seite","fra":"page HTML5","spa":"página HTML5","pol":"strona HTML5"}', 1),
  ('Application', 'ContentType', 'LINK', 'link to an address', '{"nob":"lenke til en adresse","swe":"länk till en adress","dan":"link til en adresse","deu":"Verweis auf eine Adresse","fra":"lien vers une adresse","spa":"enlace a una dirección","pol":"odnośnik do adresu"}', 2);
