import { defineConfig } from "vite";

// Fixed names, so that a rebuild changes the contents of files and not their names; caching goes by ETag.
export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    target: "es2022",
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "app.css" : "[name][extname]"),
      },
    },
  },
  server: { proxy: { "/api": { target: process.env.OBORO ?? "http://127.0.0.1:8765", ws: true } } },
});
