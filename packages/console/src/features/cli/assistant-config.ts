export const assistantClients = ['program', 'cursor', 'vscode', 'claude'] as const
export type AssistantClient = (typeof assistantClients)[number]

/** How a client is told of this server: what to write, and where. `isKeyNeeded`: it sends a key of its own. */
export type AssistantConfig = { label: string; where: string; text: string; isKeyNeeded: boolean }

/** The configuration of a client for the server at an origin. No key stands in any of them: files are shared. */
export function assistantConfig(client: AssistantClient, origin: string): AssistantConfig {
  const url = `${origin}/mcp`
  switch (client) {
    case 'program':
      return {
        label: 'Any client',
        where: 'For clients that start a program: it acts as the login of bey on that machine.',
        text: json({ mcpServers: { bey: { command: 'bey', args: ['mcp'] } } }),
        isKeyNeeded: false,
      }
    case 'cursor':
      return {
        label: 'Cursor',
        where: '.cursor/mcp.json',
        text: json({ mcpServers: { bey: { url, headers: bearer('${env:BEY_TOKEN}') } } }),
        isKeyNeeded: true,
      }
    case 'vscode':
      return {
        label: 'VS Code',
        where: '.vscode/mcp.json',
        text: json({
          servers: { bey: { type: 'http', url, headers: bearer('${input:bey-key}') } },
          inputs: [{ type: 'promptString', id: 'bey-key', description: 'API key of Bey', password: true }],
        }),
        isKeyNeeded: true,
      }
    case 'claude':
      return {
        label: 'Claude Code',
        where: 'In a terminal',
        text: `claude mcp add --transport http bey ${url} \\\n  --header "Authorization: Bearer $BEY_TOKEN"`,
        isKeyNeeded: true,
      }
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const json = (value: object) => JSON.stringify(value, undefined, 2)
