import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Writes the Python client that OpenAPI Generator makes of a document, with the calls of some tags: all take it a minute.
 * `generatorDir`: where `tools/python-client.mjs` has put the generator. It reads OpenAPI 3.0, so that the document is
 * converted first, gives `activeId` and `active_id` of one type the same name, so that only the second is left, and knows `nullable` alone.
 */
export async function writePythonClient(
  generatorDir: string,
  document: string,
  dir: string,
  tags: readonly string[],
): Promise<void> {
  const modules = join(generatorDir, 'node_modules')
  const files = { given: join(dir, 'openapi-3.1.json'), converted: join(dir, 'openapi-3.0.json') }
  await mkdir(dir, { recursive: true })
  await writeFile(files.given, JSON.stringify(nullable(withoutTwins(onlyTags(JSON.parse(document), tags)))))
  const convert = join(modules, '.bin/openapi-down-convert')
  await run(process.execPath, [convert, '--input', files.given, '--output', files.converted, '--allOf'])
  const jar = join(modules, '@openapitools/openapi-generator-cli/bin/openapi-generator.jar')
  if (!existsSync(jar)) throw new Error(`${jar} is missing.`)
  const withoutPapers = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'
  const what = ['--global-property', `apis,models,supportingFiles,${withoutPapers}`, '--skip-validate-spec']
  const args = ['-jar', jar, 'generate', '-g', 'python', '-i', files.converted, '-o', dir, ...what]
  await run('java', args, { maxBuffer: 64 * 1024 * 1024 })
}

type Document = { paths: Record<string, Record<string, { tags: string[] }>> }

function onlyTags(document: Document, tags: readonly string[]): Document {
  const paths = Object.entries(document.paths).filter(([, operations]) =>
    Object.values(operations).every((operation) => operation.tags.some((tag) => tags.includes(tag))),
  )
  return { ...document, paths: Object.fromEntries(paths) }
}

function withoutTwins(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTwins)
  if (typeof value !== 'object' || value === null) return value
  const names = new Set(Object.keys(value))
  const isTwin = (name: string) => /[A-Z]/.test(name) && names.has(snakeOf(name))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isTwin(name) ? [] : [[name, withoutTwins(each)]])),
  )
}

const snakeOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type Fields = Readonly<Record<string, unknown>>

/** `anyOf` of a schema and null as OpenAPI 3.0 writes it; of several schemas any value, for Python has no type of several. */
function nullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullable)
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, oneOf, ...rest } = value as Fields
  const options = anyOf ?? oneOf
  if (!Array.isArray(options))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, nullable(each)]))
  const [schema = {}, ...others] = (options as Fields[]).filter(({ type }) => type !== 'null')
  if (others.length > 0) return { ...rest, nullable: true }
  const whole = '$ref' in schema ? { allOf: [schema] } : (nullable(schema) as Fields)
  return { ...rest, ...whole, ...(options.length > 1 && { nullable: true }) }
}
