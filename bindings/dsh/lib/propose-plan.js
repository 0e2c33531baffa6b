// The tool by which the model asks for rights, and the card the user sees.

export const controlTool = 'propose_plan'

/** The host's definition of the tool; schema, description and texts are the library's. */
export function proposePlan(watch) {
  const { description, parameters } = watch.schema()
  return {
    name: controlTool,
    description,
    parameters,
    output: {
      schema: {
        type: 'object',
        properties: { text: { type: 'string' }, card: { type: 'string' } },
        required: ['text', 'card'],
        additionalProperties: false,
      },
      // The model gets the words for it; the user's card goes to the log beside them.
      render: (_args, { text }) => [{ type: 'text', text }],
      presentationMeta: (_args, { card }) => ({ card }),
    },
    // The host does not check `args` against `parameters`; the library does, and names every fault.
    async execute(args, exec) {
      const shown = watch.propose(args, exec)
      // The model's turn ends here, so that it waits for the user's answer.
      exec.concludeTurn()
      return shown
    },
    presentCall: args => typeof args?.title === 'string' ? { card: 'generic', title: args.title, kind: 'other' } : undefined,
    presentResult: (args, { isError, meta }) => isError || typeof meta?.card !== 'string'
      ? undefined
      : { card: 'generic', title: args.title, content: [{ type: 'text', text: meta.card }] },
  }
}
