import { readFile, writeFile } from 'node:fs/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** How the person at the client answers a question; undefined: the client cannot ask. */
export type Answering = ((question: string) => boolean | Promise<boolean>) | undefined

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a result is its own claim
export type Called = { isError: boolean; text: string; result: any }

/** An assistant as anybody has it: the client of the protocol's own SDK. */
export async function connectAssistant(transport: Transport, answer: Answering) {
  const client = new Client(
    { name: 'test-assistant', version: '1.0.0' },
    { capabilities: answer ? { elicitation: { form: {} } } : {} },
  )
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
      action: 'accept' as const,
      content: { confirm: await answer(params.message) },
    }))
  await client.connect(transport)
  return {
    client,
    async call(name: string, given: Record<string, unknown> = {}): Promise<Called> {
      const reply = await client.callTool({ name, arguments: given })
      const content = reply.content as { text: string }[]
      return {
        isError: reply.isError === true,
        text: content[0]?.text ?? '',
        result: reply.structuredContent,
      }
    },
    close: () => client.close(),
  }
}

/** The way to `/mcp` of a server, with a token. */
export function httpTransport(
  port: number,
  token: string,
  headers: Record<string, string> = {},
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  })
}

const document = new URL('../../../../../../docs/mcp-transcript.md', import.meta.url)

const opening = `# An incident, found and mended by an assistant

Written by \`packages/server/src/features/mcp/mcp-acts.test.ts\` with the client of the protocol's own SDK; with
\`BEY_WRITE_TRANSCRIPT=1\` the test writes this page anew. Its API key may read, and change objects of clusters; it may
delete neither objects nor clusters. Ids and times are shortened.
`

/** Writes down what an assistant asked and was answered. */
export function transcript() {
  const parts: string[] = [opening.trimEnd()]
  return {
    say: (text: string) => void parts.push(text),
    record(name: string, given: Record<string, unknown>, { isError, text, result }: Called) {
      const { leftOut: _left, ...shown } = isError ? { leftOut: [], refused: text } : result
      const asked = `→ ${name} ${JSON.stringify(given)}`
      parts.push(['```', asked, `← ${JSON.stringify(shown, undefined, 2)}`, '```'].join('\n'))
    },
    /** What was asked, as it was and as the documentation shows it; writes the documentation where that is asked for. */
    async compare() {
      const text = `${steady(parts.join('\n\n'))}\n`
      if (process.env['BEY_WRITE_TRANSCRIPT']) await writeFile(document, text)
      return { asked: callsOf(text), documented: callsOf(await readFile(document, 'utf8')) }
    },
  }
}

const callsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('→ '))

function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01990f3c-…')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '2026-11-24T12:00:00Z')
    .replaceAll(/\bapi-[a-z0-9]{6,10}-[a-z0-9]{5}\b/g, 'api-7d9f8c-x2x4z')
    .replaceAll(/\bcluster-\d+-[a-z0-9]+\b/g, 'prod')
}
