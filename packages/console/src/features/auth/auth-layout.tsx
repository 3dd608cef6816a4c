import { Boxes, KeyRound, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'

const facts = [
  {
    icon: Boxes,
    title: 'Clusters that answer',
    text: 'Create Kubernetes clusters and watch every step. The console and kubectl take the same path.',
  },
  {
    icon: Workflow,
    title: 'Work that survives',
    text: 'Long operations go on from the step they were at, whatever happens to the server.',
  },
  {
    icon: KeyRound,
    title: 'Yours alone',
    text: 'Bey runs on your machines. Organizations are kept apart in the database itself.',
  },
]

/** Two columns: the form on the left, what Bey is on the right. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main id="main" tabIndex={-1} className="flex flex-col px-(--gutter) py-6">
        <p className="flex items-center gap-2.5 text-lead font-semibold">
          <BeyMark />
          Bey
        </p>
        <div className="m-auto w-full max-w-[22rem] py-8">{children}</div>
      </main>
      <section
        aria-label="About Bey"
        className="hidden flex-col justify-center border-l border-line bg-sunken px-16 py-12 lg:flex"
      >
        <div className="max-w-md">
          <h2 className="text-figure font-semibold">Your cloud, on your machines.</h2>
          <p className="mt-2 text-lead text-text-2">
            An open-source console for Kubernetes clusters, workflows, secrets, databases and networks.
          </p>
          <ul className="mt-10 flex flex-col gap-6">
            {facts.map(({ icon: Icon, title, text }) => (
              <li key={title} className="flex gap-3.5">
                <Icon size={18} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0 text-accent-text" />
                <div>
                  <h3 className="font-medium">{title}</h3>
                  <p className="mt-0.5 text-text-2">{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  )
}

function BeyMark() {
  return <img src="/favicon.svg" alt="" width={24} height={24} />
}
