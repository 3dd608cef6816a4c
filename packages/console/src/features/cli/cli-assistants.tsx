import { useState } from 'react'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { type AssistantClient, assistantClients, assistantConfig } from './assistant-config.ts'

/** How an assistant is connected by the Model Context Protocol, for the clients that people have. */
export function CliAssistants() {
  const [client, setClient] = useState<AssistantClient>('program')
  const { origin } = location
  const { where, text, isKeyNeeded } = assistantConfig(client, origin)
  const options = assistantClients.map((value) => ({ value, label: assistantConfig(value, origin).label }))
  return (
    <Section
      title="Connect an assistant"
      aside={<Segmented label="Client" options={options} value={client} onChange={setClient} />}
      className="mt-8 sm:pl-9"
    >
      <p className="mb-1 text-small text-text-2">{where}</p>
      <CodeBlock label="Configuration of the assistant" text={text} />
      <p className="mt-2 text-small text-text-2">
        {isKeyNeeded ? (
          <>
            It sees and does what its{' '}
            <Link
              href="/workspaces/settings/api-keys"
              className="underline underline-offset-4 hover:text-text"
            >
              API key
            </Link>{' '}
            may, and nothing else.
          </>
        ) : (
          'It sees and does what you may.'
        )}{' '}
        A change is a dry run first. Before anything is destroyed, the client asks you.
      </p>
    </Section>
  )
}
