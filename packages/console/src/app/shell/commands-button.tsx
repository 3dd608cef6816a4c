import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { type PageCommand, useShownCommands } from '../../lib/page-commands.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

/** Opens the commands that do the same as the page. */
export default function CommandsButton() {
  const commands = useShownCommands()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        label="CLI and API"
        aria-haspopup="dialog"
        data-tooltip-side="bottom"
        icon={<Terminal size={15} aria-hidden />}
        disabledReason={commands.length === 0 ? 'This page has no equivalent commands.' : undefined}
        onClick={() => setOpen(true)}
      />
      <Drawer
        open={isOpen}
        onOpenChange={setOpen}
        title="CLI and API"
        description="The same as this page, from a shell. bey uses its login; curl takes a token from BEY_TOKEN."
      >
        <ul className="flex flex-col gap-5">
          {commands.map((command) => (
            <li key={command.title}>
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
