import { Boxes, KeyRound, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { Mark } from '../../ui/mark.tsx'
import { LoginDial } from './login-dial.tsx'

const facts = [
  {
    icon: Boxes,
    title: 'Clusters that answer',
    text: 'Create Kubernetes clusters and watch every step. The console and kubectl take the same path.',
  },
  {
    icon: Workflow,
    title: 'Work that survives',
    text: 'Long operations resume at their last step after a server restart.',
  },
  {
    icon: KeyRound,
    title: 'Yours alone',
    text: 'Bey runs on your machines. The database itself isolates organizations.',
  },
]

/** Two columns: the form on the left, what Bey is on the right. */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main id="main" tabIndex={-1} className="flex flex-col px-(--gutter) py-6">
        <p className="flex items-center gap-2.5 text-lead font-semibold">
          <Mark size={24} />
          Bey
        </p>
        <div className="m-auto w-full max-w-[22rem] py-8">{children}</div>
      </main>
      <section
        aria-label="About Bey"
        className="hidden flex-col justify-center border-l border-line bg-sunken px-10 py-12 lg:flex xl:px-15"
      >
        <div className="flex max-w-[41.5rem] flex-col gap-12">
          <div>
            <h2 className="text-figure font-semibold">Your cloud, on your machines.</h2>
            <p className="mt-2 max-w-md text-lead text-text-2">
              An open-source console for Kubernetes clusters, workflows, secrets, databases and networks.
            </p>
          </div>
          <LoginDial />
          <ul className="grid grid-cols-3 gap-x-6">
            {facts.map(({ icon: Icon, title, text }) => (
              <li key={title}>
                <h3 className="flex items-center gap-2 font-medium">
                  <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-text-2" />
                  {title}
                </h3>
                <p className="mt-1 text-text-2">{text}</p>
              </li>
            ))}
          </ul>
        </div>
      </section>
    </div>
  )
}
