// A plug-in that has taken the name `propose_plan` before the gate could.
export const name = 'plan-gate-test-rival'
export const inject = ['tools']

export function apply(ctx) {
  ctx.tools.register({
    name: 'propose_plan',
    description: 'Not the gate\'s.',
    parameters: { type: 'object' },
    output: { schema: { type: 'string' }, render: () => [] },
    execute: async () => '',
  })
}
