"""Renders a frame of a run as PNG: frame.py DIR STEP FILE.png. Needs Python with VTK (Debian: python3-vtk9).

Bodies are coloured by their speed, walls are glass; planes are squares.
"""
import sys

from vtkmodules.vtkCommonColor import vtkNamedColors
from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkFiltersCore import vtkPolyDataNormals
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter
import vtkmodules.vtkRenderingOpenGL2

folder, step, png = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def read(part, step):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName("%s/%s-%06d.vtp" % (folder, part, step))
    normals = vtkPolyDataNormals()
    normals.SetInputConnection(reader.GetOutputPort())
    normals.SplittingOn()
    normals.SetFeatureAngle(1)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(normals.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    return actor


table = vtkLookupTable()
table.SetHueRange(0.58, 0.03)
table.SetSaturationRange(0.45, 0.85)
table.SetValueRange(0.75, 0.95)
table.Build()
bodies = read("bodies", step)
mapper = bodies.GetMapper()
mapper.SetScalarModeToUseCellFieldData()
mapper.SelectColorArray("speed")
mapper.SetScalarRange(0, 3)
mapper.SetLookupTable(table)
walls = read("walls", 0)
walls.GetMapper().ScalarVisibilityOff()
walls.GetProperty().SetColor(vtkNamedColors().GetColor3d("steel_blue"))
walls.GetProperty().SetOpacity(0.18)

view = vtkRenderer()
view.SetBackground(1, 1, 1)
view.AddActor(bodies)
view.AddActor(walls)
camera = view.GetActiveCamera()
camera.SetViewUp(0, 0, 1)
camera.SetPosition(0.6, -2, 0.5)
view.ResetCamera()
camera.Zoom(1.12)
view.ResetCameraClippingRange()
window = vtkRenderWindow()
window.SetOffScreenRendering(1)
window.SetMultiSamples(8)
window.SetSize(320, 560)
window.AddRenderer(view)
window.Render()
image = vtkWindowToImageFilter()
image.SetInput(window)
writer = vtkPNGWriter()
writer.SetFileName(png)
writer.SetInputConnection(image.GetOutputPort())
writer.Write()
