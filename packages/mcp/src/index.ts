export { McpServerError, type ServeMcpOptions, serveMcp } from "./serve-mcp.ts";
export { type GivenSettings, type McpSettings, McpSettingsError, readMcpSettings } from "./settings.ts";
