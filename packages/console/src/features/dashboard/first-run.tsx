import type { ReactNode } from 'react'
import { StatusMark } from '../../ui/status-mark.tsx'

const steps = [
  {
    title: 'Create a cluster',
    text: 'Choose a name and how many nodes. A sandbox cluster runs on this machine: its nodes are simulated, its Kubernetes API is real.',
  },
  {
    title: 'Watch it come up',
    text: 'Provisioning is a run with named steps and a log. If a step fails, you see the reason and can retry.',
  },
  {
    title: 'Work in it',
    text: 'See nodes, workloads, pods and events as they change, or download a kubeconfig and use kubectl; the page follows.',
  },
] as const

/** What an organization without clusters sees: what Bey does, and where to begin. */
export function FirstRun({ action }: { action: ReactNode }) {
  return (
    <div data-message="" className="max-w-3xl px-(--gutter) py-8">
      <h2 className="text-title font-semibold">Run your first cluster</h2>
      <p className="mt-1 max-w-prose text-text-2">
        Bey is the console of your own cloud: Kubernetes clusters, the workflows that operate them, and what
        they hold, in one place and on your own machines.
      </p>
      <div className="mt-5">{action}</div>
      <ol className="mt-10 grid gap-x-8 gap-y-6 border-t border-line pt-6 sm:grid-cols-3">
        {steps.map((step) => (
          <li key={step.title}>
            <span className="mb-2 block text-text-3">
              <StatusMark glyph="ring" />
            </span>
            <h3 className="font-medium">{step.title}</h3>
            <p className="mt-1 text-text-2">{step.text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}
