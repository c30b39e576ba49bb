import { spawnSync } from 'node:child_process';

const READ_CSV = `
import csv, io, json, sys
asked = json.load(sys.stdin)
reader = csv.reader(io.StringIO(asked["text"], newline=""), delimiter=asked["delimiter"], strict=True)
json.dump(list(reader), sys.stdout)
`;

const READ_XLSX = `
import io, json, re, sys, zipfile
import xml.etree.ElementTree as tree
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
def column(reference):
    number = 0
    for letter in re.match("[A-Z]+", reference).group():
        number = number * 26 + ord(letter) - 64
    return number - 1
def decoded(text):
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found.group(1), 16)), text)
def value(cell):
    kind = cell.get("t", "n")
    if cell.find(MAIN + "f") is not None:
        raise ValueError("a formula in " + cell.get("r"))
    if kind == "inlineStr":
        return decoded("".join(part.text or "" for part in cell.iter(MAIN + "t")))
    text = cell.findtext(MAIN + "v")
    return text == "1" if kind == "b" else float(text)
archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
if archive.testzip() is not None:
    raise ValueError("a damaged archive")
sheet = tree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
json.dump([{column(cell.get("r")): value(cell) for cell in row} for row in sheet.iter(MAIN + "row")], sys.stdout)
`;

/**
 * Returns the records of a CSV text. The csv module of Python reads the text in strict mode. Any line end outside of
 * quotes ends a record in this mode.
 */
export function readCsvByPython(text: string, delimiter: ',' | ';' = ','): readonly (readonly string[])[] {
  return runPython(READ_CSV, JSON.stringify({ text, delimiter }));
}

/**
 * Returns the rows of the first sheet of a workbook, with the values by column number from 0. The modules zipfile and
 * ElementTree of Python read the workbook. Throws if a cell has a formula.
 */
export function readXlsxByPython(
  body: Buffer,
): readonly Readonly<Record<number, string | number | boolean>>[] {
  return runPython(READ_XLSX, body);
}

function runPython<Answer>(program: string, input: string | Buffer): Answer {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', program], {
    input,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    timeout: 60_000,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });
  if (status !== 0) throw new Error(`python3 ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
