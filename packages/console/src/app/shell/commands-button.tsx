import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { useShownCommands } from '../../lib/page-commands.ts'
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
        description="The same as this page, from a shell. Put a token into BEY_TOKEN first."
      >
        <ul className="flex flex-col gap-5">
          {commands.map(({ title, tool, text }) => (
            <li key={title}>
              <h3 className="mb-1.5 flex items-baseline justify-between gap-3 font-medium">
                {title}
                <span className="text-small font-normal text-text-3">{tool}</span>
              </h3>
              <CodeBlock label={title} text={text} />
            </li>
          ))}
        </ul>
      </Drawer>
    </>
  )
}
