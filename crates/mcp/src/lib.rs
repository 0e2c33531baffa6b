//! Offers `propose_plan` to agents that speak the Model Context Protocol, over standard input and output.
//!
//! You want this crate when the agent's program takes tools from MCP servers. The server decides nothing and keeps
//! nothing: it does not even know which session calls it. The host's hook sees the call with all its arguments and the
//! session, and records the draft before the server is asked; a plan with faults is refused there. What the server
//! answers is for reading: the plan as the person is to see it, and the advice to stop and wait.
//!
//! It also offers one resource, [`STATE`], which a person can look at in the host: what waits for an answer now.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The resource that says what waits for the person.
pub const STATE: &str = "plan-gate://state";

/// Answers a proposal, given as JSON: the text, and whether it is an error.
pub type Propose = dyn Fn(&[u8]) -> (String, bool) + Send + Sync;

/// What the server is made of.
pub struct Offer {
    /// The tool as JSON: `name`, `description`, `parameters`.
    pub tool: String,
    /// The version that the server says it is.
    pub version: String,
    /// Answers a proposal, given as JSON: the text, and whether it is an error.
    pub propose: Box<Propose>,
    /// The text of [`STATE`].
    pub state: Box<dyn Fn() -> String + Send + Sync>,
}

/// The server could not start, or its peer spoke something else.
#[derive(Debug)]
pub struct ServeError(String);

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ServeError {}

/// Serves until the peer closes standard input.
///
/// # Errors
///
/// The tool is not JSON of that shape, or the peer does not speak the protocol.
pub fn serve(offer: Offer) -> Result<(), ServeError> {
    let server = Server::new(offer)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| ServeError(format!("no runtime: {error}")))?;
    let served = runtime.block_on(async {
        let running = server
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| ServeError(format!("no session: {error}")))?;
        running.waiting().await.map_err(|error| ServeError(error.to_string()))
    });
    // A reader that still waits for standard input must not keep the process alive.
    runtime.shutdown_background();
    served.map(|_| ())
}

struct Server {
    offer: Offer,
    tool: Tool,
}

impl Server {
    fn new(offer: Offer) -> Result<Self, ServeError> {
        let bad = |what: &str| ServeError(format!("the tool's definition has no {what}"));
        let definition: Value =
            serde_json::from_str(&offer.tool).map_err(|error| ServeError(error.to_string()))?;
        let text = |key: &str| definition.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").ok_or_else(|| bad("name"))?;
        let description = text("description").ok_or_else(|| bad("description"))?;
        let schema: JsonObject = definition
            .get("parameters")
            .and_then(Value::as_object)
            .cloned()
            .ok_or_else(|| bad("parameters"))?;
        let mut tool = Tool::new(name, description, Arc::new(schema));
        // It changes nothing by itself: hosts need not ask before it.
        tool.annotations = Some(ToolAnnotations::new().read_only(true).destructive(false).open_world(false));
        Ok(Self { offer, tool })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("plan-gate", self.offer.version.clone()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(vec![self.tool.clone()]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != self.tool.name {
            return Err(ErrorData::invalid_params(format!("no tool `{}` here", request.name), None));
        }
        let arguments = Value::Object(request.arguments.unwrap_or_default()).to_string();
        let (text, error) = (self.offer.propose)(arguments.as_bytes());
        let content = vec![ContentBlock::text(text)];
        let result = if error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let state = Resource::new(STATE, "state").with_description("What waits for your answer");
        Ok(ListResourcesResult::with_all_items(vec![state]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != STATE {
            return Err(ErrorData::resource_not_found(format!("no resource `{}` here", request.uri), None));
        }
        let text = ResourceContents::text((self.offer.state)(), STATE);
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}
