import type { ConnectionProblem } from '@bey/contract'
import { CodeBlock } from '../../ui/code-block.tsx'

/** What is in the way of a connection, what to do, and the commands for it. */
export function ProblemText({ problem }: { problem: ConnectionProblem }) {
  return (
    <div className="max-w-prose">
      <p className="font-medium">{problem.title}</p>
      <p className="mt-0.5 break-words text-text-2">{problem.detail}</p>
      {problem.commands.length > 0 ? (
        <div className="mt-2">
          <CodeBlock label="Commands" text={problem.commands.join('\n')} />
        </div>
      ) : null}
    </div>
  )
}
