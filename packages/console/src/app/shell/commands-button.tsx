import { Terminal } from 'lucide-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOrganizationId } from '../../data/session.ts'
import { type PageCommand, useShownCommands } from '../../lib/page-commands.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { readCommands } from './read-commands.ts'

/** Opens the commands that do the same as the page. */
export default function CommandsButton() {
  const named = useShownCommands()
  const [reads, setReads] = useState<PageCommand[]>()
  const cache = useQueryClient().getQueryCache()
  const organizationId = useOrganizationId()
  const open = () => setReads(readCommands(cache.findAll({ type: 'active' }), named, organizationId ?? 0))
  const commands = [...named, ...(reads ?? [])]
  return (
    <>
      <IconButton
        label="CLI and API"
        aria-haspopup="dialog"
        data-tooltip-side="bottom"
        icon={<Terminal size={15} aria-hidden />}
        onClick={open}
      />
      <Drawer
        open={reads !== undefined}
        onOpenChange={(isOpen) => (isOpen ? open() : setReads(undefined))}
        title="CLI and API"
        description="The same as this page, from a shell. bey uses its login; curl takes a token from BEY_TOKEN."
      >
        {commands.length === 0 ? (
          <p className="text-text-2">This page reads nothing from the server that is its own.</p>
        ) : null}
        <ul className="flex flex-col gap-5">
          {commands.map((command) => (
            <li key={command.bey ?? command.title}>
              <Command {...command} />
            </li>
          ))}
        </ul>
      </Drawer>
    </>
  )
}

/** With `bey` first where it can do it: shorter, and with the login that the terminal has. */
function Command({ title, tool, text, bey }: PageCommand) {
  return (
    <>
      <h3 className="mb-1.5 flex items-baseline justify-between gap-3 font-medium">
        {title}
        {bey === undefined ? <span className="text-small font-normal text-text-3">{tool}</span> : null}
      </h3>
      {bey === undefined ? null : (
        <>
          <CodeBlock label={`${title}, with bey`} text={bey} />
          <p className="mt-2 mb-1 text-small text-text-3">{tool}</p>
        </>
      )}
      <CodeBlock label={title} text={text} />
    </>
  )
}
