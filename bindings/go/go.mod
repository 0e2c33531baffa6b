module github.com/plan-gate/plan-gate/bindings/go

go 1.24
