// The library, carried in this package for the platform it was packed on.
let library
try {
  library = await import('../native/index.js')
} catch (error) {
  // Thrown while the plug-in is imported, so the host's boot stops: no gate, no agent.
  throw new Error(`plan-gate: the library for ${process.platform}-${process.arch} does not load, `
    + `install the package built for this platform or remove it: ${error.message}`, { cause: error })
}

export const { Gate, allows } = library
