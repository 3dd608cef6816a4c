import type { JsonObject } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import type { KubeObject } from '../types.ts'
import type { Column, Printer } from './columns.ts'
import { customPrinter } from './custom-printer.ts'
import { defaultPrinter, printers } from './printers.ts'

export type RowObject = 'Metadata' | 'Object' | 'None'

/** What a printer has to know of a kind. */
type PrintedKind = Pick<Kind, 'key' | 'version' | 'definition'>

function printerOf(kind: PrintedKind): Printer {
  if (kind.definition) return customPrinter(kind.definition, kind.version)
  return printers[kind.key] ?? defaultPrinter
}

export function partialMetadata(object: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

/** The Table that represents some objects; `view` turns each into the version that the client speaks. */
export function tableOf(
  kind: PrintedKind,
  objects: readonly KubeObject[],
  listMetadata: JsonObject,
  nowMs: number,
  rowObject: RowObject,
  view: (object: KubeObject) => JsonObject,
  withColumns = true,
): JsonObject {
  const printer = printerOf(kind)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: listMetadata,
    columnDefinitions: withColumns ? printer.columns.map((column: Column) => ({ ...column })) : [],
    rows: objects.map((object) => ({
      cells: printer.cells(object, nowMs),
      ...(rowObject === 'None'
        ? {}
        : { object: rowObject === 'Object' ? view(object) : partialMetadata(object) }),
    })),
  }
}
