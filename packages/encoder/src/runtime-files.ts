/** The files of the native library with their lengths in bytes, for the version that this package is made for. Other versions are unknown. */
export const RUNTIME_FILES: {
  readonly version: string;
  /** Their path in its folder, above the platform and the architecture. */
  readonly place: string;
  readonly files: Readonly<Record<string, Readonly<Record<string, number>>>>;
} = {
  version: "1.17.0",
  place: "bin/napi-v3",
  files: {
    "darwin/arm64": { "onnxruntime_binding.node": 199_240, "libonnxruntime.1.17.0.dylib": 23_952_016 },
    "darwin/x64": { "onnxruntime_binding.node": 216_448, "libonnxruntime.1.17.0.dylib": 26_674_400 },
    "linux/arm64": { "onnxruntime_binding.node": 238_448, "libonnxruntime.so.1.17.0": 12_532_240 },
    "linux/x64": { "onnxruntime_binding.node": 216_752, "libonnxruntime.so.1.17.0": 15_465_144 },
    "win32/arm64": { "onnxruntime_binding.node": 299_440, "onnxruntime.dll": 10_786_848 },
    "win32/x64": { "onnxruntime_binding.node": 231_360, "onnxruntime.dll": 10_944_544 },
  },
};
