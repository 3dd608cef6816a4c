/** A place in the tree, by its path, and what its product code may import from the rest of the repository. */
export type Law = { place: RegExp; mayImport: RegExp[]; mayImportTypes?: RegExp[] }

const contract = /^packages\/contract\//
const client = /^packages\/client\//
const cli = /^packages\/cli\//
const sandboxEntry = /^packages\/sandbox\/src\/index\.ts$/
const tables = /^packages\/server\/src\/tables\//
const platform = /^packages\/server\/src\/platform\//
const features = /^packages\/server\/src\/features\//
/** The type of what features bring. */
const feature = /^packages\/server\/src\/feature\.ts$/
const config = /^packages\/server\/src\/config\.ts$/
const consoleUi = /^packages\/console\/src\/ui\//
const consoleLib = /^packages\/console\/src\/lib\//
/** How code is loaded that comes later; knows nothing of what it loads. */
const consoleLoading = /^packages\/console\/src\/lib\/(later-part|retry-import)\.tsx?$/
/** The clock that stands still while the server does not answer. */
const consoleClock = /^packages\/console\/src\/lib\/held-clock\.ts$/
const consoleData = /^packages\/console\/src\/data\//
const consoleEntities = /^packages\/console\/src\/entities\//

/** The first law whose place matches a file holds for it. A file may always import its own folder of features or its own place. */
export const importLaw: Law[] = [
  { place: contract, mayImport: [contract] },
  { place: client, mayImport: [client, contract] },
  { place: cli, mayImport: [cli, client, contract] },
  { place: /^packages\/sandbox\//, mayImport: [/^packages\/sandbox\//] },
  { place: tables, mayImport: [tables, contract] },
  { place: platform, mayImport: [platform, tables, contract], mayImportTypes: [config] },
  // Another feature's values arrive as constructor arguments from app.ts.
  { place: features, mayImport: [platform, tables, contract], mayImportTypes: [features, feature, config] },
  {
    place: /^packages\/server\/src\/providers\//,
    mayImport: [/^packages\/server\/src\/providers\//, platform, tables, contract, sandboxEntry],
    mayImportTypes: [features, config],
  },
  { place: /^packages\/server\/src\/testing\//, mayImport: [/^packages\/server\//, contract, sandboxEntry] },
  { place: /^packages\/server\//, mayImport: [/^packages\/server\//, contract, sandboxEntry] },
  { place: consoleUi, mayImport: [consoleUi, consoleLoading, consoleClock] },
  { place: consoleLib, mayImport: [consoleLib, client, contract] },
  { place: consoleData, mayImport: [consoleData, consoleLib, client, contract] },
  {
    place: consoleEntities,
    mayImport: [consoleEntities, consoleData, consoleUi, consoleLib, client, contract],
  },
  {
    place: /^packages\/console\/src\/features\//,
    mayImport: [consoleEntities, consoleData, consoleUi, consoleLib, client, contract],
  },
  { place: /^packages\/console\//, mayImport: [/^packages\/console\//, client, contract] },
  { place: /^(tools|e2e|bench)\//, mayImport: [/./] },
]

const kubernetes = (part: string) => new RegExp(`^packages/server/src/features/kubernetes/${part}/`)

/** Parts of one feature that meet only where the feature is put together, and what each may import of the others. */
export const partLaw: Law[] = [
  { place: kubernetes('connection'), mayImport: [] },
  { place: kubernetes('proxy'), mayImport: [kubernetes('connection')] },
  { place: kubernetes('watch'), mayImport: [kubernetes('(connection|health)')] },
  {
    place: kubernetes('health'),
    mayImport: [kubernetes('connection')],
    mayImportTypes: [kubernetes('watch')],
  },
  { place: kubernetes('exec'), mayImport: [kubernetes('connection')] },
  {
    place: kubernetes('logs'),
    mayImport: [kubernetes('(connection|watch)')],
    mayImportTypes: [kubernetes('proxy')],
  },
  { place: kubernetes('changes'), mayImport: [kubernetes('(connection|watch)')] },
  { place: kubernetes('metrics'), mayImport: [kubernetes('(connection|health|watch)')] },
  { place: kubernetes('volumes'), mayImport: [kubernetes('(connection|watch)')] },
  { place: kubernetes('reads'), mayImport: [kubernetes('(connection|health|metrics|volumes|watch)')] },
  { place: kubernetes('diagnosis'), mayImport: [kubernetes('(connection|health|watch|reads|objects)')] },
  { place: kubernetes('drain'), mayImport: [kubernetes('(connection|proxy)')] },
  {
    place: kubernetes('run-access'),
    mayImport: [kubernetes('(connection|drain|proxy)')],
    mayImportTypes: [kubernetes('watch')],
  },
  { place: kubernetes('objects'), mayImport: [kubernetes('(connection|health|watch|reads|volumes)')] },
]

/** The folder inside which files of a feature are at home with each other. */
export function homeOf(path: string): string | undefined {
  return path.match(/^packages\/(?:server|console)\/src\/features\/[^/]+\//)?.[0]
}
