import { CodeBlock } from './code-block.tsx'

/** Below what will be made: the same on the command line, folded until somebody wants it. `label` names the command. */
export function CommandDetails({ label, text }: { label: string; text: string }) {
  return (
    <details className="mt-3">
      <summary className="text-small text-text-2 hover:text-text">The same on the command line</summary>
      <div className="mt-2">
        <CodeBlock label={label} text={text} maxHeight="12rem" />
      </div>
    </details>
  )
}
