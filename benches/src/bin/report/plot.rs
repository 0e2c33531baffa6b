//! Curves on logarithmic axes.

use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// One curve.
pub type Curve = (String, Vec<(f64, f64)>);

/// A plot that is still to be drawn.
pub struct Plot {
    /// File name without its ending.
    pub file: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Name and unit of both axes.
    pub axes: [&'static str; 2],
    /// The curves.
    pub curves: Vec<Curve>,
}

const COLOURS: [RGBColor; 6] = [
    RGBColor(0x1f, 0x77, 0xb4),
    RGBColor(0xd6, 0x27, 0x28),
    RGBColor(0x2c, 0xa0, 0x2c),
    RGBColor(0x94, 0x67, 0xbd),
    RGBColor(0xff, 0x7f, 0x0e),
    RGBColor(0x55, 0x55, 0x55),
];

impl Plot {
    /// Draws it as SVG.
    pub fn write(&self, file: &Path) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|(_, points)| points).copied();
        let span = |of: fn((f64, f64)) -> f64| {
            points().map(of).fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
        };
        let ((left, right), (low, high)) = (span(|point| point.0), span(|point| point.1));
        let area = SVGBackend::new(file, (760, 420)).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(42)
            .y_label_area_size(72)
            .build_cartesian_2d(
                (left * 0.8..right * 1.25).log_scale(),
                (low * 0.6..high * 1.8).log_scale(),
            )?;
        let [x, y] = self.axes;
        chart.configure_mesh().x_desc(x).y_desc(y).light_line_style(WHITE).draw()?;
        for ((name, points), colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            let line = LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3);
            chart
                .draw_series(line)?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.2))
            .draw()?;
        area.present()?;
        Ok(())
    }
}
