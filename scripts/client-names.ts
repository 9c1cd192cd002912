// The names that the clients for Python and PHP have from the code of the server: codes of problems, types of events,
// and the operations that take an idempotency key.

type Names = { codes: string[]; eventTypes: readonly string[]; keyed: string[] }

const note = 'Made from the code of the server by `npm run client:types`. Do not edit.'

/** By their paths below `packages`. */
export function clientNames({ codes, eventTypes, keyed }: Names): Record<string, string> {
  return {
    'client-python/src/wheelhouse_client/_generated.py': [
      `"""${note}"""\n\nfrom typing import Literal`,
      pythonList('ProblemCode = Literal[', codes, ']'),
      pythonList('EventType = Literal[', eventTypes, ']'),
      `${pythonList('KEYED_OPERATIONS = (', keyed, ')')}\n`,
    ].join('\n\n'),
    'client-php/src/ProblemCode.php': phpClass(
      'The codes of problems that this version knows. A newer server may send others.',
      'ProblemCode',
      codes.map((code) => constant(code, '_')),
    ),
    'client-php/src/EventType.php': phpClass(
      'The types of events that this version knows. A newer server may send others.',
      'EventType',
      eventTypes.map((type) => constant(type, /[._]/)),
    ),
    'client-php/src/KeyedOperations.php': phpClass(
      'The operations that recognise a repeat by its idempotency key.',
      'KeyedOperations',
      [`public const LIST = [\n${keyed.map((one) => `        '${one}',\n`).join('')}    ];`],
    ),
  }
}

function pythonList(start: string, values: readonly string[], end: string): string {
  return `${start}\n${values.map((value) => `    "${value}",\n`).join('')}${end}`
}

function constant(value: string, separator: string | RegExp): string {
  return `public const ${value.split(separator).join('_').toUpperCase()} = '${value}';`
}

function phpClass(about: string, name: string, constants: string[]): string {
  const body = constants.map((one) => `    ${one}\n`).join('')
  return `<?php\n\n// ${note}\n\ndeclare(strict_types=1);\n\nnamespace Wheelhouse\\Client;\n\n/** ${about} */\nfinal class ${name}\n{\n${body}}\n`
}
